type relation = Equal | Different | Less | Less_equal | Greater | Greater_equal

type pattern =
  | Any
  | Bind of pattern * int
  | Same of Data.t
  | Between of int * int
  | Block of { tag : int; size : int option; fields : (int * pattern) list }
  | Floats of { size : int option; fields : (int * pattern) list }
  | Either of pattern * pattern

type handled =
  | Anything
  | Known of { which : int; arguments : (int * pattern) list }
  | One_of of handled * handled
  | Named of handled * int

type t =
  | Literal of bool
  | Leaf of { atom : int; place : int }
  | Constant of int
  | Variable of int
  | And of t * t
  | Or of t * t
  | Not of t
  | If of t * t * t
  | Relation of relation * t * t
  | Compare of t * t
  | Negate of t
  | Absolute of t
  | Subtract of t * t
  | Negate_float of t
  | Absolute_float of t
  | Subtract_float of t * t
  | Match of { on : t; cases : pattern case list; failure : string }
  | Guarded of { atom : int; body : t; handlers : handled case list }

and 'pattern case = { pattern : 'pattern; guard : t option; result : t }

type verdict = Holds | Fails | Unknown | Raises of string | Unreadable of string

exception Ends of verdict

let field fields i = if i < Array.length fields then fields.(i) else raise Data.Malformed
let is_size size fields = match size with None -> true | Some size -> Array.length fields = size

(* The variables that a pattern binds in a value, before others; [None] if it does not match. *)
let rec matches pattern value variables =
  match pattern with
  | Any -> Some variables
  | Bind (pattern, variable) -> matches pattern value ((variable, value) :: variables)
  | Same other -> if Data.equal value other then Some variables else None
  | Between (low, high) ->
      let n = Data.to_int value in
      if low <= n && n <= high then Some variables else None
  | Block { tag; size; fields = patterns } -> (
      match Data.fields ~tag value with
      | Some fields when is_size size fields -> all_match patterns (field fields) variables
      | _ -> None)
  | Floats { size; fields = patterns } -> (
      match Data.floats value with
      | Some fields when is_size size fields ->
          all_match patterns (fun i -> Data.of_float (field fields i)) variables
      | _ -> None)
  | Either (first, second) -> (
      match matches first value variables with None -> matches second value variables | found -> found)

and all_match patterns field variables =
  let add variables (i, pattern) = Option.bind variables (matches pattern (field i)) in
  List.fold_left add (Some variables) patterns

let rec handles handled ~which ~arguments variables =
  match handled with
  | Anything -> Some variables
  | Named (handled, variable) ->
      let both = (variable, Data.of_int which) :: (variable + 1, arguments) :: variables in
      handles handled ~which ~arguments both
  | Known known when known.which <> which -> None
  | Known { arguments = patterns; _ } ->
      let fields = match Data.fields ~tag:0 arguments with Some fields -> fields | None -> raise Data.Malformed in
      all_match patterns (field fields) variables
  | One_of (first, second) -> (
      match handles first ~which ~arguments variables with
      | None -> handles second ~which ~arguments variables
      | found -> found)

let of_bool b = Data.of_int (Bool.to_int b)

let holds relation a b =
  match relation with
  | Equal -> Data.equal a b
  | Different -> not (Data.equal a b)
  | Less | Less_equal | Greater | Greater_equal -> (
      match (Data.order a b, relation) with
      | None, _ -> false
      | Some n, Less -> n < 0
      | Some n, Less_equal -> n <= 0
      | Some n, Greater -> n > 0
      | Some n, _ -> n >= 0)

let evaluate predicate ~constants ~atoms =
  let returned : Data.outcome -> Data.t = function
    | Returned value -> value
    | Raised { text; _ } -> raise (Ends (Raises text))
    | Unreadable what -> raise (Ends (Unreadable what))
  in
  let outcome atom =
    match List.assoc_opt atom atoms with Some outcome -> outcome | None -> raise (Ends Unknown)
  in
  let place i value =
    match Data.fields ~tag:0 value with Some fields -> field fields i | None -> raise Data.Malformed
  in
  let rec value variables : t -> Data.t = function
    | Leaf { atom; place = i } -> place i (returned (outcome atom))
    | Constant i -> place 0 (returned constants.(i))
    | Variable variable -> List.assoc variable variables
    | Compare (a, b) ->
        let b = value variables b in
        Data.of_int (Data.compare (value variables a) b)
    | Negate a -> Data.of_int (-integer variables a)
    | Absolute a -> Data.of_int (abs (integer variables a))
    | Subtract (a, b) ->
        let b = integer variables b in
        Data.of_int (integer variables a - b)
    | Negate_float a -> Data.of_float (-.number variables a)
    | Absolute_float a -> Data.of_float (abs_float (number variables a))
    | Subtract_float (a, b) ->
        let b = number variables b in
        Data.of_float (number variables a -. b)
    | (Literal _ | And _ | Or _ | Not _ | If _ | Relation _ | Match _ | Guarded _) as formula ->
        of_bool (truth variables formula)
  and integer variables t = Data.to_int (value variables t)
  and number variables t = Data.to_float (value variables t)
  and truth variables = function
    | Literal b -> b
    | And (a, b) -> truth variables a && truth variables b
    | Or (a, b) -> truth variables a || truth variables b
    | Not a -> not (truth variables a)
    | If (condition, a, b) -> truth variables (if truth variables condition then a else b)
    | Relation (relation, a, b) ->
        let b = value variables b in
        holds relation (value variables a) b
    | Match { on; cases; failure } ->
        let on = value variables on in
        first_case variables cases (fun pattern -> matches pattern on variables) ~otherwise:failure
    | Guarded { atom; body; handlers } -> (
        match outcome atom with
        | Raised { which; text; arguments } ->
            first_case variables handlers (fun handled -> handles handled ~which ~arguments variables) ~otherwise:text
        | Returned _ | Unreadable _ -> truth variables body)
    | (Leaf _ | Constant _ | Variable _ | Compare _ | Negate _ | Absolute _ | Subtract _ | Negate_float _
      | Absolute_float _ | Subtract_float _) as term ->
        integer variables term <> 0
  and first_case : 'p. _ -> 'p case list -> ('p -> _) -> otherwise:string -> bool =
   fun variables cases bind ~otherwise ->
    match cases with
    | [] -> raise (Ends (Raises otherwise))
    | { pattern; guard; result } :: rest -> (
        match bind pattern with
        | Some bound when (match guard with None -> true | Some guard -> truth bound guard) -> truth bound result
        | _ -> first_case variables rest bind ~otherwise)
  in
  match truth [] predicate with true -> Holds | false -> Fails | exception Ends verdict -> verdict
