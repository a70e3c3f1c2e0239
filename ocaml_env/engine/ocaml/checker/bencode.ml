type t = Int of int | String of string | List of t list | Dict of (string * t) list

exception Malformed of string

let to_string value =
  let out = Buffer.create 512 in
  let text s =
    Buffer.add_string out (string_of_int (String.length s));
    Buffer.add_char out ':';
    Buffer.add_string out s
  in
  let rec write = function
    | Int n ->
        Buffer.add_char out 'i';
        Buffer.add_string out (string_of_int n);
        Buffer.add_char out 'e'
    | String s -> text s
    | List items ->
        Buffer.add_char out 'l';
        List.iter write items;
        Buffer.add_char out 'e'
    | Dict fields ->
        Buffer.add_char out 'd';
        List.iter
          (fun (key, item) ->
            text key;
            write item)
          fields;
        Buffer.add_char out 'e'
  in
  write value;
  Buffer.contents out

let of_string bytes =
  let fail at what = raise (Malformed (Printf.sprintf "%s at byte %d" what at)) in
  let number from until =
    match int_of_string_opt (String.sub bytes from (until - from)) with
    | Some n -> n
    | None -> fail from "not a number"
  in
  let find at char = try String.index_from bytes at char with Not_found | Invalid_argument _ -> fail at "cut off" in
  let rec value at =
    if at >= String.length bytes then fail at "cut off";
    match bytes.[at] with
    | 'i' ->
        let stop = find at 'e' in
        (Int (number (at + 1) stop), stop + 1)
    | 'l' ->
        let items, next = many (at + 1) [] in
        (List items, next)
    | 'd' ->
        let items, next = many (at + 1) [] in
        let rec pairs = function
          | String key :: item :: rest -> (key, item) :: pairs rest
          | [] -> []
          | _ -> fail at "a dictionary's keys are strings"
        in
        (Dict (pairs items), next)
    | '0' .. '9' ->
        let colon = find at ':' in
        let length = number at colon in
        if length > String.length bytes - colon - 1 then fail at "cut off";
        (String (String.sub bytes (colon + 1) length), colon + 1 + length)
    | _ -> fail at "not a value"
  and many at items =
    if at < String.length bytes && bytes.[at] = 'e' then (List.rev items, at + 1)
    else
      let item, next = value at in
      many next (item :: items)
  in
  let result, stop = value 0 in
  if stop < String.length bytes then fail stop "surplus bytes" else result

let field key = function
  | Dict fields -> (
      match List.assoc_opt key fields with Some item -> item | None -> raise (Malformed ("no field " ^ key)))
  | _ -> raise (Malformed "not a dictionary")

let wrong key = raise (Malformed ("wrong type of field " ^ key))
let int key message = match field key message with Int n -> n | _ -> wrong key
let string key message = match field key message with String s -> s | _ -> wrong key

let strings key message =
  match field key message with
  | List items -> List.map (function String s -> s | _ -> wrong key) items
  | _ -> wrong key

let optional key = function Dict fields -> List.assoc_opt key fields | _ -> raise (Malformed "not a dictionary")
