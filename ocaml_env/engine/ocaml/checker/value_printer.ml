(* Bounds of what is shown: a reader looks at the beginning. *)
let most_values = 100
let most_depth = 40
let most_bytes = 240

(* --- reading: each node before its children --- *)

type node =
  | Int of int
  | Block of { tag : int; size : int }
  | Text of string
  | Cut_text of { beginning : string; length : int }
  | Float of float
  | Floats of float list  (** as many as there was room for *)
  | Boxed of char * int64
  | Constructor of string  (** of an exception *)
  | Hidden  (** a function, an object, ...: what has no bytes *)
  | End  (** of the bytes, or of what any child of ours would write *)

type reader = { bytes : string; mutable at : int }

let left reader = String.length reader.bytes - reader.at

let end_of reader =
  reader.at <- String.length reader.bytes;
  End

let head reader =
  if left reader < 9 then None
  else
    let kind = reader.bytes.[reader.at] and number = String.get_int64_le reader.bytes (reader.at + 1) in
    reader.at <- reader.at + 9;
    Some (kind, Int64.to_int number, number)

let text reader length make =
  if length < 0 || length > left reader then end_of reader
  else
    let text = String.sub reader.bytes reader.at length in
    reader.at <- reader.at + length;
    make text

let floats reader wanted =
  let there = min wanted (left reader / 8) in
  let nth i = Int64.float_of_bits (String.get_int64_le reader.bytes (reader.at + (8 * i))) in
  let found = List.init there nth in
  if there < wanted then ignore (end_of reader) else reader.at <- reader.at + (8 * there);
  Floats found

let node reader =
  match head reader with
  | Some ('i', n, _) -> Int n
  | Some ('b', n, _) -> Block { tag = n land 255; size = n lsr 8 }
  | Some ('s', length, _) -> text reader length (fun text -> Text text)
  | Some ('t', length, _) -> (
      match head reader with
      | Some ('s', n, _) -> text reader n (fun beginning -> Cut_text { beginning; length })
      | _ -> end_of reader)
  | Some ('d', _, bits) -> Float (Int64.float_of_bits bits)
  | Some ('D', count, _) when count >= 0 -> floats reader count
  | Some ((('l' | 'L' | 'N') as kind), _, number) -> Boxed (kind, number)
  | Some ('E', length, _) -> text reader length (fun name -> Constructor name)
  | Some ('?', _, _) -> Hidden
  | _ -> end_of reader

let rec skip reader values =
  if values > 0 then
    match node reader with
    | End -> ()
    | Block { size; _ } -> skip reader (values - 1 + size)
    | _ -> skip reader (values - 1)

(* --- writing: a value is simple, or it needs parentheses as an argument --- *)

type written = Simple of string | Applied of string | Negative of string

let plain = function Simple text | Applied text | Negative text -> text
let as_argument = function Simple text -> text | Applied text | Negative text -> "(" ^ text ^ ")"
let dots = Simple "..."
let ill_typed = Simple "<ill-typed>"
let number text = if text.[0] = '-' then Negative text else Simple text
let listed left separator right parts = Simple (left ^ String.concat separator (List.map plain parts) ^ right)

let record fields =
  let field (name, written) = Printf.sprintf "%s = %s" name (plain written) in
  Simple ("{" ^ String.concat "; " (List.map field fields) ^ "}")

let applied name = function
  | [] -> Simple name
  | [ argument ] -> Applied (name ^ " " ^ as_argument argument)
  | arguments -> Applied (Printf.sprintf "%s (%s)" name (String.concat ", " (List.map plain arguments)))

let of_float x =
  match classify_float x with
  | FP_nan -> Simple "nan"
  | FP_infinite -> if x < 0. then Negative "neg_infinity" else Simple "infinity"
  | _ ->
      let exact digits =
        let text = Printf.sprintf "%.*g" digits x in
        if float_of_string text = x then Some text else None
      in
      let text =
        match (exact 12, exact 15) with Some text, _ | None, Some text -> text | None, None -> Printf.sprintf "%.18g" x
      in
      number (if String.exists (fun c -> c = '.' || c = 'e') text then text else text ^ ".")

let is_continuation c = Char.code c land 0xc0 = 0x80

let rec is_utf_8 text at =
  at >= String.length text
  ||
  let more =
    match text.[at] with '\000' .. '\127' -> 0 | '\xc2' .. '\xdf' -> 1 | '\xe0' .. '\xef' -> 2 | '\xf0' .. '\xf4' -> 3 | _ -> -1
  in
  let next = at + 1 + more in
  more >= 0 && next <= String.length text && String.for_all is_continuation (String.sub text (at + 1) more) && is_utf_8 text next

(* As the toplevel does: of what is text only control characters are escaped. *)
let of_text text =
  if not (is_utf_8 text 0) then Printf.sprintf "%S" text
  else
    let escaped = function
      | '"' -> "\\\""
      | ('\000' .. '\031' | '\127' | '\\') as c -> Char.escaped c
      | c -> String.make 1 c
    in
    "\"" ^ String.concat "" (List.map escaped (List.of_seq (String.to_seq text))) ^ "\""

(* At most so many bytes, and no part of a character. *)
let rec beginning text ~most =
  if most >= String.length text then text
  else if most > 0 && is_continuation text.[most] then beginning text ~most:(most - 1)
  else String.sub text 0 most

let of_cut_text text ~length =
  Printf.sprintf "%s... (* string length %d; truncated *)" (of_text (beginning text ~most:200)) length

(* --- printing: each function reads the whole of what it prints --- *)

(* What the parameters of a declaration stand for. *)
type bound = { shape : Value_shape.t; around : bound array }

let rec resolve (shape : Value_shape.t) around =
  match shape with
  | Parameter i when i < Array.length around -> resolve around.(i).shape around.(i).around
  | Parameter _ -> (Value_shape.Mark "<poly>", [||])
  | shape -> (shape, around)

let written { Value_shape.declarations; exceptions } shape bytes ~from =
  let reader = { bytes; at = from } and values = ref 0 in
  let skipped size written =
    skip reader size;
    written
  in
  let no_room depth = depth > most_depth || !values >= most_values in
  let otherwise written = function End -> dots | Block { size; _ } -> skipped size written | _ -> written in
  let rec value depth around shape =
    match resolve shape around with
    | Value_shape.Mark mark, _ -> skipped 1 (Simple mark)
    | _ when no_room depth -> skipped 1 dots
    | Declared (number, arguments), around ->
        declared depth (Array.of_list (List.map (fun shape -> { shape; around }) arguments)) declarations.(number)
    | shape, around -> (
        incr values;
        match (shape, node reader) with
        | Int, Int n -> number (string_of_int n)
        | Char, Int n when n >= 0 && n < 256 -> Simple (Printf.sprintf "%C" (Char.chr n))
        | Float, Float x -> of_float x
        | String, Text text -> Simple (of_text text)
        | String, Cut_text { beginning; length } -> Simple (of_cut_text beginning ~length)
        | Bytes, Text text -> Applied ("Bytes.of_string " ^ of_text text)
        | Bytes, Cut_text { beginning; length } -> Applied ("Bytes.of_string " ^ of_cut_text beginning ~length)
        | Int32, Boxed ('l', n) -> number (Printf.sprintf "%Ldl" n)
        | Int64, Boxed ('L', n) -> number (Printf.sprintf "%LdL" n)
        | Nativeint, Boxed ('N', n) -> number (Printf.sprintf "%Ldn" n)
        | Tuple parts, Block { tag = 0; size } when size = List.length parts ->
            listed "(" ", " ")" (each depth around parts)
        | List _, Int 0 -> Simple "[]"
        | List element, Block { tag = 0; size = 2 } -> listed "[" "; " "]" (elements depth around element)
        | Array element, Block { tag = 0; size } -> listed "[|" "; " "|]" (repeated depth around element size)
        | Array element, Floats found -> listed "[|" "; " "|]" (flat element around found)
        | Tags tags, Int hash -> tag tags hash ~argument:None
        | Tags tags, Block { tag = 0; size = 2 } -> (
            match node reader with
            | Int hash -> tag tags hash ~argument:(Some (fun shape -> value (depth + 1) around shape))
            | node -> skipped 1 (otherwise ill_typed node))
        | Exception, Constructor name -> Simple (Outcome.exception_name name)
        | Exception, Block { tag = 0; size } when size > 0 -> (
            match node reader with
            | Constructor name -> raised depth (Outcome.exception_name name) (size - 1)
            | node -> skipped (size - 1) (otherwise ill_typed node))
        | _, node -> otherwise ill_typed node)
  and each depth around shapes = List.map (value (depth + 1) around) shapes
  (* Of a list whose first block was read. *)
  and elements depth around element =
    let first = value (depth + 1) around element in
    match node reader with
    | Int 0 -> [ first ]
    | Block { tag = 0; size = 2 } when !values < most_values -> first :: elements depth around element
    | Block { tag = 0; size = 2 } -> skipped 2 [ first; dots ]
    | node -> [ first; otherwise ill_typed node ]
  and repeated depth around element = function
    | 0 -> []
    | size when !values >= most_values || left reader = 0 -> skipped size [ dots ]
    | size ->
        let first = value (depth + 1) around element in
        first :: repeated depth around element (size - 1)
  (* An array of floats, as it is in memory. *)
  and flat element around found =
    let rec go = function
      | [] -> []
      | _ when !values >= most_values -> [ dots ]
      | x :: rest ->
          incr values;
          let first = of_element 0 element around x in
          first :: go rest
    in
    go found
  and of_element depth element around x =
    match resolve element around with
    | _ when depth > most_depth -> dots
    | Float, _ -> of_float x
    | Mark mark, _ -> Simple mark
    | Declared (number, arguments), around -> (
        let around = Array.of_list (List.map (fun shape -> { shape; around }) arguments) in
        match declarations.(number) with
        | Unboxed_constructor (name, Plain [ shape ]) -> applied name [ of_element (depth + 1) shape around x ]
        | Unboxed_constructor (name, Inline [ (label, shape) ]) ->
            applied name [ record [ (label, of_element (depth + 1) shape around x) ] ]
        | Unboxed_record (name, shape) -> record [ (name, of_element (depth + 1) shape around x) ]
        | Same_as shape -> of_element (depth + 1) shape around x
        | _ -> ill_typed)
    | _ -> ill_typed
  and tag tags hash ~argument =
    let is_it (_, other, its) = other = hash && Option.is_some its = Option.is_some argument in
    match (List.find_opt is_it tags, argument) with
    | Some (label, _, Some shape), Some read -> applied ("`" ^ label) [ read shape ]
    | Some (label, _, None), None -> Simple ("`" ^ label)
    | _ -> skipped (if argument = None then 0 else 1) (Simple "<variant>")
  and arguments depth around name : Value_shape.arguments -> written = function
    | Plain shapes -> applied name (each depth around shapes)
    | Inline fields -> applied name [ record (named depth around fields) ]
  and named depth around fields = List.map (fun (name, shape) -> (name, value (depth + 1) around shape)) fields
  (* An exception that nobody declared to us has what its bytes are. *)
  and raised depth name size =
    match List.assoc_opt name exceptions with
    | Some shapes when arity shapes = size -> arguments depth [||] name shapes
    | _ when size > most_values -> skipped size (applied name [ dots ])
    | _ -> applied name (List.init size (fun _ -> guessed ()))
  and guessed () =
    match node reader with
    | Int n -> number (string_of_int n)
    | Text text -> Simple (of_text text)
    | Cut_text { beginning; length } -> Simple (of_cut_text beginning ~length)
    | Float x -> of_float x
    | node -> otherwise (Simple "_") node
  and declared depth around : Value_shape.declaration -> written = function
    | Same_as shape -> value (depth + 1) around shape
    | Unboxed_constructor (name, shapes) -> arguments depth around name shapes
    | Unboxed_record (name, shape) -> record (named depth around [ (name, shape) ])
    | declaration -> (
        incr values;
        match (declaration, node reader) with
        | Variant { constants; _ }, Int n when n >= 0 && n < Array.length constants -> Simple constants.(n)
        | Variant { blocks; _ }, Block { tag; size } when tag < Array.length blocks && size = arity (snd blocks.(tag)) ->
            let name, shapes = blocks.(tag) in
            arguments depth around name shapes
        | Record fields, Block { tag = 0; size } when size = List.length fields -> record (named depth around fields)
        | Floats names, Floats found when List.compare_lengths names found = 0 ->
            record (List.map2 (fun name x -> (name, of_float x)) names found)
        | _, node -> otherwise ill_typed node)
  and arity : Value_shape.arguments -> int = function Plain shapes -> List.length shapes | Inline fields -> List.length fields in
  plain (value 0 [||] shape)

let to_string shapes shape bytes ~from =
  let text = written shapes shape bytes ~from in
  if String.length text <= most_bytes then text else beginning text ~most:most_bytes ^ "..."
