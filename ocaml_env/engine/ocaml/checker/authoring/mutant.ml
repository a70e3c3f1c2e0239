open Parsetree

type t = { operator : string; line : int; column : int; before : string; after : string; code : string }

(* --- the mutants found so far --- *)

type draft = {
  source : string;
  seen : (string, unit) Hashtbl.t;  (* texts that there are already *)
  mutable found : t list;  (* the last first *)
  dropped_calls : (int, unit) Hashtbl.t;  (* where the functions stand whose calls were dropped *)
  mutable recursive : string list;  (* what the bindings around define by recursion *)
}

let draft source =
  let seen = Hashtbl.create 256 in
  Hashtbl.replace seen source ();
  { source; seen; found = []; dropped_calls = Hashtbl.create 16; recursive = [] }

let start (loc : Location.t) = loc.loc_start.pos_cnum
let stop (loc : Location.t) = loc.loc_end.pos_cnum

(* Is it written there, or did the parser make it up? *)
let is_real d (loc : Location.t) =
  (not loc.loc_ghost) && 0 <= start loc && start loc < stop loc && stop loc <= String.length d.source

let between d from upto = String.sub d.source from (upto - from)
let at d loc = between d (start loc) (stop loc)
let text d e = at d e.pexp_loc

let add d operator loc ~before ~after edits =
  let code = Edit.apply d.source edits in
  if not (Hashtbl.mem d.seen code) then (
    Hashtbl.replace d.seen code ();
    let line, column = Diagnostic.position ~source:d.source loc in
    d.found <- { operator; line; column; before; after; code } :: d.found)

let put (loc : Location.t) text : Edit.t = { from = start loc; upto = stop loc; text }

(* The text at a location is replaced, by one that may stand anywhere. *)
let replace d operator loc after =
  if is_real d loc then
    let before = Edit.bare (at d loc) and shown = Edit.bare after in
    add d operator loc ~before ~after:shown [ put loc (Edit.as_operand after) ]

let replace_token d operator loc after =
  if is_real d loc then add d operator loc ~before:(at d loc) ~after [ put loc after ]

(* [dropped] goes from a larger text, of which [kept] remains. *)
let drop d operator ~whole ~dropped kept =
  if is_real d whole && is_real d dropped then
    add d operator dropped ~before:(at d dropped) ~after:"" [ put whole (Edit.as_operand kept) ]

let exchange d operator a b =
  if is_real d a && is_real d b && stop a <= start b && at d a <> at d b then
    let gap = between d (stop a) (start b) in
    let operand loc = Edit.as_operand (at d loc) in
    let shown a b = if String.contains gap '|' then at d a else operand a ^ gap ^ operand b in
    add d operator a ~before:(shown a b) ~after:(shown b a) [ put a (operand b); put b (operand a) ]

(* --- names and shapes --- *)

let name_of (lid : Longident.t) = match Longident.flatten lid with parts -> String.concat "." parts | exception _ -> ""
let called e = match e.pexp_desc with Pexp_ident { txt; _ } -> name_of txt | _ -> ""

let rec variable (p : pattern) =
  match p.ppat_desc with Ppat_var { txt; _ } -> Some txt | Ppat_constraint (p, _) -> variable p | _ -> None

(* [a op b] with its parts, if it is written so. *)
let as_infix d e =
  match e.pexp_desc with
  | Pexp_apply (({ pexp_desc = Pexp_ident { txt = Lident op; _ }; _ } as f), [ (Nolabel, a); (Nolabel, b) ])
    when is_real d f.pexp_loc && is_real d a.pexp_loc && is_real d b.pexp_loc
         && stop a.pexp_loc <= start f.pexp_loc
         && stop f.pexp_loc <= start b.pexp_loc
         && text d f = op ->
      Some (a, op, f.pexp_loc, b)
  | _ -> None

(* [f a b c] *)
let as_call d e =
  match e.pexp_desc with
  | Pexp_apply (f, ((_, first) :: _ as arguments))
    when is_real d f.pexp_loc && stop f.pexp_loc <= start first.pexp_loc && as_infix d e = None ->
      Some (f, arguments)
  | _ -> None

let level op = Option.map (fun (level, _, _) -> level) (Mutation_table.infix op)

let is_comparison d e = match as_infix d e with Some (_, op, _, _) -> level op = Some Comparison | None -> false
let is_not d e = match as_call d e with Some (f, [ _ ]) -> called f = "not" | _ -> false

let is_assignment d e =
  match e.pexp_desc with
  | Pexp_setfield _ -> true
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident ":="; _ }; _ }, [ _; _ ]) -> true
  | Pexp_apply ({ pexp_desc = Pexp_ident _; pexp_loc; _ }, [ _; _; _ ]) -> not (is_real d pexp_loc)
  | _ -> false

(* What has no mutants: what cannot happen, what an exception says, a guess of a size. *)
let is_skipped e =
  match e.pexp_desc with
  | Pexp_assert { pexp_desc = Pexp_construct ({ txt = Lident "false"; _ }, None); _ } -> true
  | Pexp_apply (f, arguments) ->
      let constant = match arguments with [ (Nolabel, { pexp_desc = Pexp_constant _; _ }) ] -> true | _ -> false in
      Mutation_table.says_why (called f) || Mutation_table.guesses_size (called f) ~constant
  | Pexp_construct ({ txt; _ }, Some _) -> Mutation_table.says_why (name_of txt)
  | _ -> false

(* --- faults in constants and names --- *)

let literal d loc constant =
  match Compiler.literal constant with
  | `Integer (digits, suffix) -> (
      match Int64.of_string_opt digits with
      | None -> ()
      | Some n ->
          let suffix = match suffix with Some c -> String.make 1 c | None -> "" in
          let put n = replace d "constant" loc (Int64.to_string n ^ suffix) in
          put (Int64.succ n);
          put (Int64.pred n))
  | `Char c -> replace_token d "constant" loc (Printf.sprintf "%C" (Char.chr ((Char.code c + 1) land 255)))
  | `String "" -> replace_token d "constant" loc "\"?\""
  | `String _ -> replace_token d "constant" loc "\"\""
  | `Float (digits, _) -> (
      match float_of_string_opt digits with
      | None -> ()
      | Some x -> replace d "constant" loc (Printf.sprintf "%F" (x +. 1.)))

let bool_constant d loc = function
  | "true" -> replace_token d "constant" loc "false"
  | "false" -> replace_token d "constant" loc "true"
  | _ -> ()

let name d loc name =
  let is_dropped = Hashtbl.mem d.dropped_calls (start loc) in
  match (Mutation_table.confused name, Mutation_table.infix name) with
  | Some other, _ -> replace_token d "function" loc other
  | None, Some (_, operator, others) ->
      (* [( + )] given to a function *)
      if is_real d loc && (at d loc).[0] = '(' then
        List.iter (fun other -> replace_token d operator loc (Printf.sprintf "( %s )" other)) others
  | None, None ->
      if String.contains name '.' && Mutation_table.droppable name = Some 1 && not is_dropped then
        replace_token d "function" loc "Fun.id"

(* --- faults in operators and calls --- *)

(* Parentheses around an operand that binds less tightly than the operator that now stands beside it. *)
let operand d ~before ~now e =
  let is_tighter =
    match as_infix d e with
    | Some (_, op, _, _) -> ( match level op with Some inner -> inner >= now | None -> false)
    | None -> as_call d e <> None
  in
  if now <= before || is_tighter then text d e else Edit.as_operand (text d e)

let exchange_operator d e (a, op_loc, b) (before, operator, others) =
  let gap (from : Location.t) (upto : Location.t) = between d (stop from) (start upto) in
  let put other =
    let now = Option.value (level other) ~default:before in
    let left = operand d ~before ~now a ^ gap a.pexp_loc op_loc in
    let after = left ^ other ^ gap op_loc b.pexp_loc ^ operand d ~before ~now b in
    let from = start a.pexp_loc and upto = stop b.pexp_loc in
    (* The parentheses that stand around it already stay. *)
    let is_enclosed = start e.pexp_loc < from in
    let text = if now >= before || is_enclosed then after else Edit.in_parentheses after in
    add d operator e.pexp_loc ~before:(between d from upto) ~after [ { from; upto; text } ]
  in
  List.iter put others

let note_dropped d (f : expression) = Hashtbl.replace d.dropped_calls (start f.pexp_loc) ()

let infix d e (a, op, op_loc, b) =
  Option.iter (exchange_operator d e (a, op_loc, b)) (Mutation_table.infix op);
  match op with
  | "@" | "^" ->
      if text d a <> text d b then
        let turned = Edit.[ as_operand (text d b); op; as_operand (text d a) ] in
        replace d "append" e.pexp_loc (String.concat " " turned)
  | "|>" ->
      let f, given = match as_call d b with Some (f, arguments) -> (f, List.length arguments) | None -> (b, 0) in
      if Mutation_table.droppable (called f) = Some (given + 1) then (
        note_dropped d f;
        drop d "call" ~whole:e.pexp_loc ~dropped:b.pexp_loc (text d a))
  | _ -> ()

let rec swap_arguments d = function
  | (Asttypes.Nolabel, a) :: ((Asttypes.Nolabel, b) :: _ as rest) ->
      exchange d "arguments" a.pexp_loc b.pexp_loc;
      swap_arguments d rest
  | _ :: rest -> swap_arguments d rest
  | [] -> ()

(* Arguments by which a recursive call is replaced at most. *)
let arguments_max = 4

let call d e (f, arguments) =
  let name = called f and count = List.length arguments in
  let is_plain = List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments in
  let argument i = text d (snd (List.nth arguments i)) in
  if List.for_all (fun (_, a) -> is_real d a.pexp_loc) arguments then (
    (match name with
    | "not" when count = 1 -> replace d "connective" e.pexp_loc (argument 0)
    | ("~-" | "~-.") when count = 1 -> replace d "arithmetic" e.pexp_loc (argument 0)
    | _ -> ());
    if is_plain && Mutation_table.droppable name = Some count then (
      note_dropped d f;
      replace d "call" e.pexp_loc (argument (count - 1)));
    if not (Mutation_table.is_symmetric name) then swap_arguments d arguments;
    if List.mem name d.recursive then
      for i = 0 to min count arguments_max - 1 do
        replace d "recursion" e.pexp_loc (argument i)
      done)

(* --- faults in control --- *)

let negate d operator e =
  if not (is_comparison d e || is_not d e) then replace d operator e.pexp_loc ("not " ^ Edit.as_operand (text d e))

let force d operator e =
  let put constant = if text d e <> constant then replace_token d operator e.pexp_loc constant in
  List.iter put [ "true"; "false" ]

let bounds d first last =
  let has_constant e =
    match (e.pexp_desc, as_infix d e) with
    | Pexp_constant _, _ -> true
    | _, Some (_, _, _, { pexp_desc = Pexp_constant _; _ }) -> true
    | _ -> false
  in
  let shift e op = replace d "bound" e.pexp_loc (Printf.sprintf "%s %s 1" (Edit.as_operand (text d e)) op) in
  let both e = if not (has_constant e) then List.iter (shift e) [ "+"; "-" ] in
  both first;
  both last

let case_start case = start case.pc_lhs.ppat_loc
let case_stop case = stop case.pc_rhs.pexp_loc
let is_real_case d case = is_real d case.pc_lhs.ppat_loc && is_real d case.pc_rhs.pexp_loc

let drop_cases d cases =
  let cases = Array.of_list cases in
  let count = Array.length cases in
  let drop i case =
    let from, upto =
      if i = 0 then (case_start case, case_start cases.(1)) else (case_stop cases.(i - 1), case_stop case)
    in
    let before = between d (case_start case) (case_stop case) in
    add d "case" case.pc_lhs.ppat_loc ~before ~after:"" [ { from; upto; text = "" } ]
  in
  if count > 1 && Array.for_all (is_real_case d) cases then (
    Array.iteri drop cases;
    for i = 0 to count - 2 do
      exchange d "cases" cases.(i).pc_rhs.pexp_loc cases.(i + 1).pc_rhs.pexp_loc
    done)

let guard d case =
  match case.pc_guard with
  | Some guard when is_real_case d case && is_real d guard.pexp_loc ->
      let dropped : Edit.t = { from = stop case.pc_lhs.ppat_loc; upto = stop guard.pexp_loc; text = "" } in
      add d "guard" guard.pexp_loc ~before:("when " ^ text d guard) ~after:"" [ dropped ];
      negate d "guard" guard
  | _ -> ()

let sequence d e a b =
  if not (is_assignment d a) then drop d "sequence" ~whole:e.pexp_loc ~dropped:a.pexp_loc (text d b);
  let is_last = match b.pexp_desc with Pexp_sequence _ -> false | _ -> true in
  if is_last && not (is_assignment d b) then
    drop d "sequence" ~whole:e.pexp_loc ~dropped:b.pexp_loc (text d a)

(* --- faults in whole functions --- *)

(* What a function may come to: its results in order of the text. *)
let rec results e =
  match e.pexp_desc with
  | Pexp_match (_, cases) -> List.concat_map (fun case -> results case.pc_rhs) cases
  | Pexp_try (body, cases) -> results body @ List.concat_map (fun case -> results case.pc_rhs) cases
  | Pexp_ifthenelse (_, yes, Some no) -> results yes @ results no
  | Pexp_let (_, _, e) | Pexp_sequence (_, e) | Pexp_constraint (e, _) | Pexp_open (_, e) -> results e
  | _ -> [ e ]

let distinct values =
  List.fold_left (fun known value -> if List.mem value known then known else known @ [ value ]) [] values

(* A function always comes to one of the short results that it has for its base cases. *)
let base_values d binding =
  let names = match variable binding.pvb_pat with Some name -> name :: d.recursive | None -> d.recursive in
  let is_base e =
    let words = [ "raise"; "failwith"; "invalid_arg"; "assert" ] @ names in
    is_real d e.pexp_loc
    && String.length (text d e) <= 40
    && not (List.exists (fun word -> Edit.mentions word (text d e)) words)
  in
  let values results =
    if List.length results < 2 then []
    else List.filteri (fun i _ -> i < 3) (distinct (List.map (text d) (List.filter is_base results)))
  in
  match Compiler.function_body binding.pvb_expr with
  | `None -> ()
  | `Body body -> List.iter (replace d "body" body.pexp_loc) (values (results body))
  | `Cases (loc, cases) ->
      let results = List.concat_map (fun case -> results case.pc_rhs) cases in
      List.iter (fun value -> replace d "body" loc ("fun _ -> " ^ value)) (values results)

(* --- variables taken for others --- *)

(* Below this many mutants, names are swapped too; each for at most so many others. *)
let few = 40
let others_max = 4

(* The variables that the patterns of an item bind, in order of the text. *)
let bound_in item =
  let names = ref [] in
  let default = Ast_iterator.default_iterator in
  let pat (it : Ast_iterator.iterator) p =
    (match p.ppat_desc with
    | (Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ })) when Edit.is_word_char txt.[0] && not (List.mem txt !names) ->
        names := txt :: !names
    | _ -> ());
    default.pat it p
  in
  let iterator = { default with pat } in
  iterator.structure_item iterator item;
  List.rev !names

let swap_variables d item =
  let names = bound_in item in
  let default = Ast_iterator.default_iterator in
  let expr (it : Ast_iterator.iterator) e =
    (match e.pexp_desc with
    | Pexp_ident { txt = Lident name; _ } when List.mem name names ->
        let others = List.filter (( <> ) name) names in
        List.iteri (fun i other -> if i < others_max then replace_token d "variable" e.pexp_loc other) others
    | _ -> ());
    if not (is_skipped e) then default.expr it e
  in
  let iterator = { default with expr } in
  iterator.structure_item iterator item

(* --- the walk --- *)

let at_expression d e =
  Option.iter (infix d e) (as_infix d e);
  Option.iter (call d e) (as_call d e);
  if is_assignment d e then replace_token d "assignment" e.pexp_loc "()";
  match e.pexp_desc with
  | Pexp_constant constant -> literal d e.pexp_loc constant
  | Pexp_ident { txt; _ } -> name d e.pexp_loc (name_of txt)
  | Pexp_construct ({ txt = Lident name; _ }, None) -> bool_constant d e.pexp_loc name
  | Pexp_construct ({ txt = Lident "Some"; _ }, Some _) -> replace d "option" e.pexp_loc "None"
  | Pexp_construct ({ txt = Lident "::"; loc }, Some argument) when is_real d loc && at d loc = "::" ->
      replace d "cons" e.pexp_loc (String.trim (between d (stop loc) (stop argument.pexp_loc)))
  | Pexp_ifthenelse (condition, _, _) when is_real d condition.pexp_loc ->
      negate d "condition" condition;
      force d "condition" condition
  | Pexp_while (condition, _) when is_real d condition.pexp_loc ->
      negate d "condition" condition;
      replace_token d "condition" condition.pexp_loc "false"
  | Pexp_sequence (a, b) -> sequence d e a b
  | Pexp_for (_, first, last, _, _) -> bounds d first last
  | Pexp_try (body, [ _ ]) -> replace d "handler" e.pexp_loc (text d body)
  | _ -> ()

let at_pattern d p =
  match p.ppat_desc with
  | Ppat_constant constant -> literal d p.ppat_loc constant
  | Ppat_construct ({ txt = Lident name; _ }, None) -> bool_constant d p.ppat_loc name
  | Ppat_interval (a, b) -> (
      match (Compiler.literal a, Compiler.literal b) with
      | `Char a, `Char b when a < b ->
          let put a b = replace_token d "constant" p.ppat_loc (Printf.sprintf "%C .. %C" a b) in
          put (Char.chr (Char.code a + 1)) b;
          put a (Char.chr (Char.code b - 1))
      | _ -> ())
  | Ppat_or (a, b) when is_real d a.ppat_loc && is_real d b.ppat_loc ->
      drop d "pattern" ~whole:p.ppat_loc ~dropped:a.ppat_loc (at d b.ppat_loc);
      drop d "pattern" ~whole:p.ppat_loc ~dropped:b.ppat_loc (at d a.ppat_loc)
  | _ -> ()

let at_bindings d (it : Ast_iterator.iterator) (flag : Asttypes.rec_flag) all =
  let around = d.recursive in
  if flag = Recursive then d.recursive <- List.filter_map (fun b -> variable b.pvb_pat) all @ around;
  let one binding =
    base_values d binding;
    it.value_binding it binding
  in
  List.iter one all;
  d.recursive <- around

let walk d =
  let default = Ast_iterator.default_iterator in
  let expr (it : Ast_iterator.iterator) e =
    if not (is_skipped e) then (
      if is_real d e.pexp_loc then at_expression d e;
      match e.pexp_desc with
      | Pexp_let (flag, all, body) ->
          at_bindings d it flag all;
          it.expr it body
      | _ -> default.expr it e)
  in
  let structure_item (it : Ast_iterator.iterator) item =
    match item.pstr_desc with Pstr_value (flag, all) -> at_bindings d it flag all | _ -> default.structure_item it item
  in
  let pat (it : Ast_iterator.iterator) p =
    at_pattern d p;
    default.pat it p
  in
  let cases (it : Ast_iterator.iterator) all =
    drop_cases d all;
    List.iter (guard d) all;
    default.cases it all
  in
  let nothing _ _ = () in
  { default with expr; structure_item; pat; cases; typ = nothing; module_type = nothing; signature = nothing;
    attributes = nothing }

let of_source source =
  let tree = Source.parse_trusted Parser.implementation source in
  let d = draft source in
  let iterator = walk d in
  iterator.structure iterator tree;
  (* Short code has few faults of these kinds: there a name is also taken for another one of the same definition. *)
  if List.length d.found < few then List.iter (swap_variables d) tree;
  List.rev d.found
