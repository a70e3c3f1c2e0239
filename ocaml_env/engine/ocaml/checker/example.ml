open Typedtree

(* A part whose value is told. *)
type part = { place : int; text : string; shape : Value_shape.t }

(* Something that has to be true: by its result, the value of a place too. *)
type claim = { parts : part list; expected : part option; result : int }

(* The claims in the order in which they are computed, and then the whole. *)
type t = claim list

(* --- the places --- *)

type marks = { mutable marked : (expression * int) list; part : expression -> part }

let relations = [ "%equal"; "%notequal"; "%lessthan"; "%lessequal"; "%greaterthan"; "%greaterequal"; "%compare"; "%eq"; "%noteq" ]

let arithmetic =
  [ "%subint"; "%addint"; "%negint"; "%subfloat"; "%addfloat"; "%negfloat"; "%absfloat"; "%boolnot"; "%ignore"; "Stdlib.abs" ]

let rec is_literal e =
  match e.exp_desc with
  | Texp_constant _ -> true
  | Texp_construct (_, _, parts) -> List.for_all is_literal parts
  | Texp_variant (_, part) -> Option.fold ~none:true ~some:is_literal part
  | _ -> false

(* What a comparison looks at, without the sums around it. *)
let rec operands e =
  match Leaves.applied e with
  | name, parts when List.mem name (relations @ arithmetic) -> List.concat_map operands parts
  | _ -> if is_literal e then [] else [ e ]

let mark marks e =
  let place = List.length marks.marked in
  marks.marked <- (e, place) :: marks.marked;
  place

let claim marks scope e =
  let parts, expected =
    match (Compiler.split_equality e, Compiler.match_of e, Compiler.try_of e) with
    | Some (a, b), _, _ when is_literal a && not (is_literal b) -> ([ marks.part b ], Some (marks.part a))
    | Some (a, b), _, _ when not (Leaves.needs_candidate scope b) -> ([ marks.part a ], Some (marks.part b))
    | Some (a, b), _, _ when not (Leaves.needs_candidate scope a) -> ([ marks.part b ], Some (marks.part a))
    | Some (a, b), _, _ -> ([ marks.part a; marks.part b ], None)
    | None, Some (on, _), _ -> (List.map marks.part (operands on), None)
    | None, None, Some ({ exp_desc = Texp_sequence (first, _); _ }, _) -> (List.map marks.part (operands first), None)
    | None, None, _ -> (
        match operands e with [ operand ] when operand == e -> ([], None) | operands -> (List.map marks.part operands, None))
  in
  { parts; expected; result = mark marks e }

let rec claims marks scope e =
  match (Leaves.applied e, e.exp_desc) with
  | ("%sequand", [ a; b ]), _ ->
      let first = claims marks scope a in
      first @ claims marks scope b
  | _, (Texp_let (_, _, body) | Texp_sequence (_, body) | Texp_letmodule (_, _, _, _, body) | Texp_open (_, body)) ->
      claims marks scope body
  | _ -> [ claim marks scope e ]

(* The code with each place telling its value, or what it raises. *)
let telling marks e =
  let tell place e =
    let call primitive argument =
      { (Leaves.call e primitive [ Leaves.number e place; argument ]) with exp_type = e.exp_type }
    in
    Compiler.try_with ~like:e (call "ocaml_env_show" e) (call "ocaml_env_show_raised")
  in
  let expr mapper e =
    let inner = Tast_mapper.default.expr mapper e in
    let places = List.filter_map (fun (other, place) -> if other == e then Some place else None) marks.marked in
    List.fold_left (fun e place -> tell place e) inner (List.sort compare places)
  in
  let mapper = { Tast_mapper.default with expr } in
  mapper.expr mapper e

(* Longer texts stand in the example itself. *)
let most_text = 60

let text_of text (e : expression) =
  let { Location.loc_start; loc_end; _ } = e.exp_loc in
  let from = loc_start.pos_cnum and until = loc_end.pos_cnum in
  if from < 0 || until > String.length text || until <= from || until - from > most_text then ""
  else
    let part = String.sub text from (until - from) in
    if String.contains part '\n' then "" else part

let make table ~unit_name scope ~text e =
  let rec part e =
    let shape = Value_shape.of_type table ~unit_name e.exp_env e.exp_type in
    { place = mark marks e; text = text_of text e; shape }
  and marks = { marked = []; part = (fun e -> part e) } in
  let claims = claims marks scope e in
  let whole = { parts = []; expected = None; result = mark marks e } in
  (claims @ [ whole ], telling marks e)

(* --- what came out --- *)

type seen = Value | Raised

(* What was told of a place: the last time, if there are several. *)
let told (frame : Report.frame) place =
  let is_of payload =
    String.length payload >= 9
    && Int64.to_int (String.get_int64_le payload 1) = place
    && (payload.[0] = 'w' || payload.[0] = 'y')
  in
  match List.find_opt is_of (List.rev frame.leaves) with
  | Some payload -> Some ((if payload.[0] = 'w' then Value else Raised), payload)
  | None -> None

(* As Markdown does: text with a backquote stands between two of them. *)
let quoted text = if String.contains text '`' then Printf.sprintf "`` %s ``" text else Printf.sprintf "`%s`" text

let is_false payload = String.length payload > 10 && payload.[9] = 'i' && payload.[10] = '\000'

let explain known claims (frame : Report.frame) =
  let printed shape payload = Value_printer.to_string known shape payload ~from:9 in
  let subject text = if text = "" then "it" else quoted text in
  let said { place; text; shape } =
    match told frame place with
    | Some (Value, payload) -> Some (Printf.sprintf "%s gave %s" (subject text) (quoted (printed shape payload)))
    | Some (Raised, payload) -> Some (Printf.sprintf "%s raised %s" (subject text) (quoted (printed Exception payload)))
    | None -> None
  in
  let expectation { place; text; shape } =
    match (text, told frame place) with
    | "", Some (Value, payload) -> Some (printed shape payload)
    | "", _ -> None
    | text, _ -> Some text
  in
  let about { parts; expected; result } =
    let values = List.filter_map said parts in
    match (told frame result, values, Option.bind expected expectation) with
    | Some (Value, _), [ value ], Some expected -> Printf.sprintf "%s, expected %s" value (quoted expected)
    | Some (Raised, payload), [], _ -> Printf.sprintf "it raised %s" (quoted (printed Exception payload))
    | _, values, _ -> String.concat ", " values
  in
  let failed { result; _ } =
    match told frame result with Some (Value, payload) -> is_false payload | Some (Raised, _) -> true | None -> false
  in
  match List.find_opt failed claims with Some claim -> about claim | None -> ""
