open Parsetree

type t = { operator : string; line : int; column : int; before : string; after : string; code : string }

(* --- what is exchanged for what --- *)

(* How tightly infix operators bind, the loosest first. *)
type level = Disjunction | Conjunction | Comparison | Sum | Product | Power

(* Infix operators: their level, the name of the fault, and what stands in for them. *)
let infix = function
  | "<" -> Some (Comparison, "comparison", [ "<="; ">=" ])
  | "<=" -> Some (Comparison, "comparison", [ "<"; ">" ])
  | ">" -> Some (Comparison, "comparison", [ ">="; "<=" ])
  | ">=" -> Some (Comparison, "comparison", [ ">"; "<" ])
  | "=" -> Some (Comparison, "comparison", [ "<>" ])
  | "<>" -> Some (Comparison, "comparison", [ "=" ])
  | "==" -> Some (Comparison, "comparison", [ "!=" ])
  | "!=" -> Some (Comparison, "comparison", [ "==" ])
  | "+" -> Some (Sum, "arithmetic", [ "-" ])
  | "-" -> Some (Sum, "arithmetic", [ "+" ])
  | "+." -> Some (Sum, "arithmetic", [ "-." ])
  | "-." -> Some (Sum, "arithmetic", [ "+." ])
  | "*" -> Some (Product, "arithmetic", [ "+" ])
  | "/" -> Some (Product, "arithmetic", [ "*" ])
  | "mod" -> Some (Product, "arithmetic", [ "/" ])
  | "*." -> Some (Product, "arithmetic", [ "+." ])
  | "/." -> Some (Product, "arithmetic", [ "*." ])
  | "**" -> Some (Power, "arithmetic", [ "*." ])
  | "land" -> Some (Product, "arithmetic", [ "lor" ])
  | "lor" -> Some (Product, "arithmetic", [ "land" ])
  | "lxor" -> Some (Product, "arithmetic", [ "lor" ])
  | "lsl" -> Some (Power, "arithmetic", [ "lsr" ])
  | "lsr" -> Some (Power, "arithmetic", [ "lsl" ])
  | "asr" -> Some (Power, "arithmetic", [ "lsl" ])
  | "&&" -> Some (Conjunction, "connective", [ "||" ])
  | "||" -> Some (Disjunction, "connective", [ "&&" ])
  | _ -> None

let is_comparison operator = match infix operator with Some (Comparison, _, _) -> true | _ -> false

(* Functions that a slip of the pen confuses. *)
let confused =
  let both a b = [ (a, b); (b, a) ] in
  List.concat
    [
      both "min" "max"; both "succ" "pred"; both "fst" "snd"; both "incr" "decr"; both "floor" "ceil";
      both "List.for_all" "List.exists"; both "Array.for_all" "Array.exists";
      both "String.for_all" "String.exists"; both "Seq.for_all" "Seq.exists"; both "Option.is_some" "Option.is_none"; both "Result.is_ok" "Result.is_error";
      both "String.uppercase_ascii" "String.lowercase_ascii"; both "Char.uppercase_ascii" "Char.lowercase_ascii";
      both "String.capitalize_ascii" "String.uncapitalize_ascii"; both "String.index" "String.rindex";
      both "String.index_opt" "String.rindex_opt"; both "String.starts_with" "String.ends_with";
      both "Queue.peek" "Queue.pop"; both "Stack.top" "Stack.pop";
      both "Float.min" "Float.max"; both "Int.min" "Int.max"; both "Float.floor" "Float.ceil";
      [ ("List.rev_append", "List.append"); ("List.append", "List.rev_append"); ("List.sort_uniq", "List.sort") ];
      [ ("Float.round", "Float.trunc"); ("Float.trunc", "Float.round"); ("Hashtbl.replace", "Hashtbl.add") ];
    ]

(* Functions of any module made by a functor, by the last part of their name. *)
let confused_members =
  [
    ("min_binding", "max_binding"); ("max_binding", "min_binding"); ("min_elt", "max_elt"); ("max_elt", "min_elt");
    ("min_binding_opt", "max_binding_opt"); ("max_binding_opt", "min_binding_opt"); ("min_elt_opt", "max_elt_opt");
    ("max_elt_opt", "min_elt_opt"); ("union", "inter"); ("inter", "union"); ("diff", "inter");
    ("find_first", "find_last"); ("find_last", "find_first"); ("find_first_opt", "find_last_opt");
    ("find_last_opt", "find_first_opt");
  ]

(* Functions whose last argument has the type of their result: the call is dropped. With the number of arguments. *)
let droppable =
  [
    ("List.rev", 1); ("abs", 1); ("Float.abs", 1); ("abs_float", 1); ("String.trim", 1); ("lnot", 1); ("List.sort", 2);
    ("List.stable_sort", 2); ("List.fast_sort", 2); ("List.sort_uniq", 2); ("List.filter", 2); ("List.tl", 1);
    ("String.uppercase_ascii", 1); ("String.lowercase_ascii", 1); ("String.capitalize_ascii", 1);
    ("Char.uppercase_ascii", 1); ("Char.lowercase_ascii", 1); ("Array.copy", 1); ("Seq.filter", 2); ("succ", 1);
    ("pred", 1); ("Bytes.copy", 1); ("Fun.negate", 1); ("Hashtbl.copy", 1); ("sqrt", 1); ("List.cons", 2);
  ]

(* Functions to which the order of two arguments is nothing. *)
let is_symmetric name =
  let last = match String.rindex_opt name '.' with Some dot -> dot + 1 | None -> 0 in
  let member = String.sub name last (String.length name - last) in
  List.mem member [ "min"; "max"; "equal"; "union"; "inter"; "disjoint"; "gcd"; "lcm" ]

(* Calls whose argument is only a guess of a size: of a buffer, and of a table of any module that a functor made. *)
let guesses_size name (arguments : (Asttypes.arg_label * expression) list) =
  match (String.split_on_char '.' name, arguments) with
  | [ ("Buffer" | "Hashtbl"); "create" ], _ -> true
  | [ ("Bytes" | "Float"); _ ], _ -> false
  | [ _; "create" ], [ (Nolabel, { pexp_desc = Pexp_constant _; _ }) ] -> true
  | _ -> false

(* What an exception says is seldom specified. *)
let says_why = [ "failwith"; "invalid_arg"; "Failure"; "Invalid_argument" ]

(* --- names --- *)

let name_of (lid : Longident.t) = match Longident.flatten lid with parts -> String.concat "." parts | exception _ -> ""

let called e = match e.pexp_desc with Pexp_ident { txt; _ } -> name_of txt | _ -> ""

let rec variable (p : pattern) =
  match p.ppat_desc with Ppat_var { txt; _ } -> Some txt | Ppat_constraint (p, _) -> variable p | _ -> None

let is_word_char = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false

(* Does a word occur in a text? *)
let mentions word text =
  let size = String.length word and length = String.length text in
  let is_edge at = at < 0 || at >= length || not (is_word_char text.[at]) in
  let rec look at =
    at + size <= length
    && ((String.sub text at size = word && is_edge (at - 1) && is_edge (at + size)) || look (at + 1))
  in
  look 0

(* --- texts --- *)

(* Is a text one token, or one bracket with all in it? Where a quote makes that hard to say, no. *)
let is_atomic text =
  let length = String.length text in
  let is_word = String.for_all (fun c -> is_word_char c || c = '.') in
  let is_token = is_word text || (text.[0] = '!' && is_word (String.sub text 1 (length - 1))) in
  let rec closes depth at =
    match text.[at] with
    | '(' | '[' | '{' -> closes_after (depth + 1) at
    | ')' | ']' | '}' -> closes_after (depth - 1) at
    | '"' | '\'' | '*' when text.[at] <> '*' || text.[at - 1] = '(' -> false
    | _ -> closes_after depth at
  and closes_after depth at = if at = length - 1 then depth = 0 else depth > 0 && closes depth (at + 1) in
  length > 0 && (is_token || ((text.[0] = '(' || text.[0] = '[') && closes 0 0))

(* A text without the parentheses around all of it. *)
let bare text =
  let length = String.length text in
  if length > 2 && text.[0] = '(' && is_atomic text then String.trim (String.sub text 1 (length - 2)) else text

let in_parentheses text = "(" ^ text ^ ")"
let as_operand text = if is_atomic text then text else in_parentheses text

(* One replacement: from an offset up to another. *)
type edit = { from : int; upto : int; text : string }

let apply source edits =
  let out = Buffer.create (String.length source + 64) in
  let step at edit =
    Buffer.add_substring out source at (edit.from - at);
    Buffer.add_string out edit.text;
    edit.upto
  in
  let at = List.fold_left step 0 edits in
  Buffer.add_substring out source at (String.length source - at);
  Buffer.contents out

(* --- the walk --- *)

let start (loc : Location.t) = loc.loc_start.pos_cnum
let stop (loc : Location.t) = loc.loc_end.pos_cnum

(* Below this many mutants, names are swapped too; each for at most so many others. *)
let few = 40
let others_max = 4

(* The variables that the patterns of an item bind, in order of the text. *)
let bound_in item =
  let names = ref [] in
  let default = Ast_iterator.default_iterator in
  let pat (it : Ast_iterator.iterator) p =
    (match p.ppat_desc with
    | (Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ })) when is_word_char txt.[0] && not (List.mem txt !names) ->
        names := txt :: !names
    | _ -> ());
    default.pat it p
  in
  let iterator = { default with pat } in
  iterator.structure_item iterator item;
  List.rev !names

let swap_variables ~is_skipped replace item =
  let names = bound_in item in
  let default = Ast_iterator.default_iterator in
  let expr (it : Ast_iterator.iterator) e =
    (match e.pexp_desc with
    | Pexp_ident { txt = Lident name; _ } when List.mem name names ->
        let others = List.filter (( <> ) name) names in
        List.iteri (fun i other -> if i < others_max then replace "variable" e.pexp_loc other) others
    | _ -> ());
    if not (is_skipped e) then default.expr it e
  in
  let iterator = { default with expr } in
  iterator.structure_item iterator item

let of_source source =
  let tree = Source.parse_trusted Parser.implementation source in
  let found = ref [] in
  let seen = Hashtbl.create 256 in
  Hashtbl.replace seen source ();
  (* Is it written there, or did the parser make it up? *)
  let is_real (loc : Location.t) =
    (not loc.loc_ghost) && 0 <= start loc && start loc < stop loc && stop loc <= String.length source
  in
  let between from upto = String.sub source from (upto - from) in
  let at loc = between (start loc) (stop loc) in
  let text e = at e.pexp_loc in
  let add operator loc ~before ~after edits =
    let code = apply source edits in
    if not (Hashtbl.mem seen code) then (
      Hashtbl.replace seen code ();
      let line, column = Diagnostic.position ~source loc in
      found := { operator; line; column; before; after; code } :: !found)
  in
  (* The text at a location is replaced, by one that may stand anywhere. *)
  let replace operator (loc : Location.t) after =
    if is_real loc then
      let text = if is_atomic after then after else in_parentheses after in
      add operator loc ~before:(bare (at loc)) ~after:(bare after) [ { from = start loc; upto = stop loc; text } ]
  in
  let replace_token operator loc after =
    if is_real loc then
      add operator loc ~before:(at loc) ~after [ { from = start loc; upto = stop loc; text = after } ]
  in
  (* [dropped] goes from a larger text, of which [kept] remains. *)
  let drop operator ~(whole : Location.t) ~(dropped : Location.t) kept =
    if is_real whole && is_real dropped then
      add operator dropped ~before:(at dropped) ~after:""
        [ { from = start whole; upto = stop whole; text = (if is_atomic kept then kept else in_parentheses kept) } ]
  in
  let exchange operator (a : Location.t) (b : Location.t) =
    if is_real a && is_real b && stop a <= start b && at a <> at b then
      let put (place : Location.t) other =
        { from = start place; upto = stop place; text = as_operand (at other) }
      in
      let gap = between (stop a) (start b) in
      let shown a b = if String.contains gap '|' then at a else as_operand (at a) ^ gap ^ as_operand (at b) in
      add operator a ~before:(shown a b) ~after:(shown b a) [ put a b; put b a ]
  in
  let literal loc constant =
    match Compiler.literal constant with
    | `Integer (digits, suffix) -> (
        match Int64.of_string_opt digits with
        | None -> ()
        | Some n ->
            let suffix = match suffix with Some c -> String.make 1 c | None -> "" in
            let put n = replace "constant" loc (Int64.to_string n ^ suffix) in
            put (Int64.succ n);
            put (Int64.pred n))
    | `Char c -> replace_token "constant" loc (Printf.sprintf "%C" (Char.chr ((Char.code c + 1) land 255)))
    | `String "" -> replace_token "constant" loc "\"?\""
    | `String _ -> replace_token "constant" loc "\"\""
    | `Float (digits, _) -> (
        match float_of_string_opt digits with
        | None -> ()
        | Some x -> replace "constant" loc (Printf.sprintf "%F" (x +. 1.)))
  in
  let bool_constant loc = function
    | "true" -> replace_token "constant" loc "false"
    | "false" -> replace_token "constant" loc "true"
    | _ -> ()
  in
  (* [a op b] with its parts, where it is written so. *)
  let as_infix e =
    match e.pexp_desc with
    | Pexp_apply (({ pexp_desc = Pexp_ident { txt = Lident op; _ }; _ } as f), [ (Nolabel, a); (Nolabel, b) ])
      when is_real f.pexp_loc && is_real a.pexp_loc && is_real b.pexp_loc
           && stop a.pexp_loc <= start f.pexp_loc
           && stop f.pexp_loc <= start b.pexp_loc
           && text f = op ->
        Some (a, op, f.pexp_loc, b)
    | _ -> None
  in
  (* [f a b c] *)
  let as_call e =
    match e.pexp_desc with
    | Pexp_apply (f, ((_, first) :: _ as arguments))
      when is_real f.pexp_loc && stop f.pexp_loc <= start first.pexp_loc && as_infix e = None ->
        Some (f, arguments)
    | _ -> None
  in
  let is_comparison e = match as_infix e with Some (_, op, _, _) -> is_comparison op | None -> false in
  let is_assignment e =
    match e.pexp_desc with
    | Pexp_setfield _ -> true
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident ":="; _ }; _ }, [ _; _ ]) -> true
    | Pexp_apply ({ pexp_desc = Pexp_ident _; pexp_loc; _ }, [ _; _; _ ]) -> not (is_real pexp_loc)
    | _ -> false
  in
  let is_not e = match as_call e with Some (f, [ _ ]) -> called f = "not" | _ -> false in
  let negate operator e =
    if not (is_comparison e || is_not e) then replace operator e.pexp_loc ("not " ^ as_operand (text e))
  in
  let force operator e =
    List.iter (fun constant -> if text e <> constant then replace_token operator e.pexp_loc constant) [ "true"; "false" ]
  in
  (* Where the functions stand whose calls are dropped. *)
  let dropped_calls = Hashtbl.create 16 in
  let note_dropped (f : expression) = Hashtbl.replace dropped_calls (start f.pexp_loc) () in
  (* Functions that the binding around defines by recursion. *)
  let recursive = ref [] in
  let infix_operators e (a, op, op_loc, b) =
    (match infix op with
    | None -> ()
    | Some (level_before, operator, others) ->
        let gap (from : Location.t) (upto : Location.t) = between (stop from) (start upto) in
        (* Parentheses around an operand that binds less tightly than what now stands between the two. *)
        let operand level e =
          let is_tighter =
            match as_infix e with
            | Some (_, op, _, _) -> ( match infix op with Some (inner, _, _) -> inner >= level | None -> false)
            | None -> as_call e <> None
          in
          if level <= level_before || is_tighter then text e else as_operand (text e)
        in
        let put other =
          let level = match infix other with Some (level, _, _) -> level | None -> level_before in
          let left = operand level a ^ gap a.pexp_loc op_loc and right = gap op_loc b.pexp_loc ^ operand level b in
          let after = left ^ other ^ right in
          (* The parentheses that stand around it already stay. *)
          let from = start a.pexp_loc and upto = stop b.pexp_loc in
          let is_enclosed = start e.pexp_loc < from in
          let text = if level >= level_before || is_enclosed then after else in_parentheses after in
          add operator e.pexp_loc ~before:(between from upto) ~after [ { from; upto; text } ]
        in
        List.iter put others);
    match op with
    | "@" | "^" ->
        if text a <> text b then
          replace "append" e.pexp_loc (Printf.sprintf "%s %s %s" (as_operand (text b)) op (as_operand (text a)))
    | "|>" ->
        let f, given = match as_call b with Some (f, arguments) -> (f, List.length arguments) | None -> (b, 0) in
        if List.assoc_opt (called f) droppable = Some (given + 1) then (
          note_dropped f;
          drop "call" ~whole:e.pexp_loc ~dropped:b.pexp_loc (text a))
    | _ -> ()
  in
  let calls e (f, arguments) =
    let name = called f in
    let plain = List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments in
    let argument i = text (snd (List.nth arguments i)) in
    let real = List.for_all (fun (_, a) -> is_real a.pexp_loc) arguments in
    if real then (
      if name = "not" && List.length arguments = 1 then replace "connective" e.pexp_loc (argument 0);
      if (name = "~-" || name = "~-.") && List.length arguments = 1 then replace "arithmetic" e.pexp_loc (argument 0);
      if plain && List.assoc_opt name droppable = Some (List.length arguments) then (
        note_dropped f;
        replace "call" e.pexp_loc (argument (List.length arguments - 1)));
      let rec swaps = function
        | (Asttypes.Nolabel, a) :: ((Asttypes.Nolabel, b) :: _ as rest) ->
            exchange "arguments" a.pexp_loc b.pexp_loc;
            swaps rest
        | _ :: rest -> swaps rest
        | [] -> ()
      in
      if not (is_symmetric name) then swaps arguments;
      if List.mem name !recursive then
        List.iteri (fun i (_, a) -> if i < 4 then replace "recursion" e.pexp_loc (text a)) arguments)
  in
  let names ~is_dropped loc name =
    match List.assoc_opt name confused with
    | Some other -> replace_token "function" loc other
    | None -> (
        match String.rindex_opt name '.' with
        | Some dot -> (
            let last = String.sub name (dot + 1) (String.length name - dot - 1) in
            match List.assoc_opt last confused_members with
            | Some other -> replace_token "function" loc (String.sub name 0 (dot + 1) ^ other)
            | None -> if List.assoc_opt name droppable = Some 1 && not is_dropped then replace_token "function" loc "Fun.id")
        | None -> (
            match infix name with
            | Some (_, operator, others) when is_real loc && (at loc).[0] = '(' ->
                List.iter (fun other -> replace_token operator loc (Printf.sprintf "( %s )" other)) others
            | _ -> ()))
  in
  let bounds first last =
    let has_constant e =
      match (e.pexp_desc, as_infix e) with
      | Pexp_constant _, _ -> true
      | _, Some (_, _, _, { pexp_desc = Pexp_constant _; _ }) -> true
      | _ -> false
    in
    let shift e op = replace "bound" e.pexp_loc (Printf.sprintf "%s %s 1" (as_operand (text e)) op) in
    let both e = if not (has_constant e) then List.iter (shift e) [ "+"; "-" ] in
    both first;
    both last
  in
  let case_start case = start case.pc_lhs.ppat_loc and case_stop case = stop case.pc_rhs.pexp_loc in
  let is_real_case case = is_real case.pc_lhs.ppat_loc && is_real case.pc_rhs.pexp_loc in
  let drop_cases cases =
    let cases = Array.of_list cases in
    let count = Array.length cases in
    let drop i case =
      let from, upto =
        if i = 0 then (case_start case, case_start cases.(1)) else (case_stop cases.(i - 1), case_stop case)
      in
      add "case" case.pc_lhs.ppat_loc ~before:(between (case_start case) (case_stop case)) ~after:""
        [ { from; upto; text = "" } ]
    in
    if count > 1 && Array.for_all is_real_case cases then (
      Array.iteri drop cases;
      for i = 0 to count - 2 do
        exchange "cases" cases.(i).pc_rhs.pexp_loc cases.(i + 1).pc_rhs.pexp_loc
      done)
  in
  let guard case =
    match case.pc_guard with
    | Some guard when is_real_case case && is_real guard.pexp_loc ->
        add "guard" guard.pexp_loc ~before:("when " ^ text guard) ~after:""
          [ { from = stop case.pc_lhs.ppat_loc; upto = stop guard.pexp_loc; text = "" } ];
        negate "guard" guard
    | _ -> ()
  in
  (* What a function may come to: its results in order of the text. *)
  let rec results e =
    match e.pexp_desc with
    | Pexp_match (_, cases) -> List.concat_map (fun case -> results case.pc_rhs) cases
    | Pexp_try (body, cases) -> results body @ List.concat_map (fun case -> results case.pc_rhs) cases
    | Pexp_ifthenelse (_, yes, Some no) -> results yes @ results no
    | Pexp_let (_, _, e) | Pexp_sequence (_, e) | Pexp_constraint (e, _) | Pexp_open (_, e) -> results e
    | _ -> [ e ]
  in
  let base_values binding =
    let names = match variable binding.pvb_pat with Some name -> name :: !recursive | None -> !recursive in
    let is_base e =
      let words = [ "raise"; "failwith"; "invalid_arg"; "assert" ] @ names in
      is_real e.pexp_loc
      && String.length (text e) <= 40
      && not (List.exists (fun word -> mentions word (text e)) words)
    in
    let distinct values =
      List.fold_left (fun known value -> if List.mem value known then known else known @ [ value ]) [] values
    in
    let values results =
      if List.length results < 2 then []
      else List.filteri (fun i _ -> i < 3) (distinct (List.map text (List.filter is_base results)))
    in
    match Compiler.function_body binding.pvb_expr with
    | `None -> ()
    | `Body body ->
        List.iter (replace "body" body.pexp_loc) (values (results body))
    | `Cases (loc, cases) ->
        let results = List.concat_map (fun case -> results case.pc_rhs) cases in
        List.iter (fun value -> replace "body" loc ("fun _ -> " ^ value)) (values results)
  in
  let default = Ast_iterator.default_iterator in
  let bindings (it : Ast_iterator.iterator) (flag : Asttypes.rec_flag) all =
    let before = !recursive in
    if flag = Recursive then recursive := List.filter_map (fun b -> variable b.pvb_pat) all @ before;
    let one binding =
      base_values binding;
      it.value_binding it binding
    in
    List.iter one all;
    recursive := before
  in
  let at_expression e =
    (match as_infix e with Some parts -> infix_operators e parts | None -> ());
    (match as_call e with Some parts -> calls e parts | None -> ());
    if is_assignment e then replace_token "assignment" e.pexp_loc "()";
    match e.pexp_desc with
    | Pexp_constant constant -> literal e.pexp_loc constant
    | Pexp_ident { txt; _ } ->
        names ~is_dropped:(Hashtbl.mem dropped_calls (start e.pexp_loc)) e.pexp_loc (name_of txt)
    | Pexp_construct ({ txt = Lident name; _ }, None) -> bool_constant e.pexp_loc name
    | Pexp_construct ({ txt = Lident "Some"; _ }, Some _) -> replace "option" e.pexp_loc "None"
    | Pexp_construct ({ txt = Lident "::"; loc }, Some argument) when is_real loc && at loc = "::" ->
        let tail = between (stop loc) (stop argument.pexp_loc) in
        replace "cons" e.pexp_loc (String.trim tail)
    | Pexp_ifthenelse (condition, _, _) when is_real condition.pexp_loc ->
        negate "condition" condition;
        force "condition" condition
    | Pexp_while (condition, _) when is_real condition.pexp_loc ->
        negate "condition" condition;
        replace_token "condition" condition.pexp_loc "false"
    | Pexp_sequence (a, b) ->
        if not (is_assignment a) then drop "sequence" ~whole:e.pexp_loc ~dropped:a.pexp_loc (text b);
        let is_last = match b.pexp_desc with Pexp_sequence _ -> false | _ -> true in
        if is_last && not (is_assignment b) then
          drop "sequence" ~whole:e.pexp_loc ~dropped:b.pexp_loc (text a)
    | Pexp_for (_, first, last, _, _) -> bounds first last
    | Pexp_try (body, [ _ ]) -> replace "handler" e.pexp_loc (text body)
    | _ -> ()
  in
  let is_skipped e =
    match e.pexp_desc with
    | Pexp_assert { pexp_desc = Pexp_construct ({ txt = Lident "false"; _ }, None); _ } -> true
    | Pexp_apply (f, arguments) -> List.mem (called f) says_why || guesses_size (called f) arguments
    | Pexp_construct ({ txt; _ }, Some _) -> List.mem (name_of txt) says_why
    | _ -> false
  in
  let expr (it : Ast_iterator.iterator) e =
    if not (is_skipped e) then (
      if is_real e.pexp_loc then at_expression e;
      match e.pexp_desc with
      | Pexp_let (flag, all, body) ->
          bindings it flag all;
          it.expr it body
      | _ -> default.expr it e)
  in
  let structure_item (it : Ast_iterator.iterator) item =
    match item.pstr_desc with Pstr_value (flag, all) -> bindings it flag all | _ -> default.structure_item it item
  in
  let pat (it : Ast_iterator.iterator) p =
    (match p.ppat_desc with
    | Ppat_constant constant -> literal p.ppat_loc constant
    | Ppat_construct ({ txt = Lident name; _ }, None) -> bool_constant p.ppat_loc name
    | Ppat_interval (a, b) -> (
        match (Compiler.literal a, Compiler.literal b) with
        | `Char a, `Char b when a < b ->
            let put a b = replace_token "constant" p.ppat_loc (Printf.sprintf "%C .. %C" a b) in
            put (Char.chr (Char.code a + 1)) b;
            put a (Char.chr (Char.code b - 1))
        | _ -> ())
    | Ppat_or (a, b) when is_real a.ppat_loc && is_real b.ppat_loc ->
        drop "pattern" ~whole:p.ppat_loc ~dropped:a.ppat_loc (at b.ppat_loc);
        drop "pattern" ~whole:p.ppat_loc ~dropped:b.ppat_loc (at a.ppat_loc)
    | _ -> ());
    default.pat it p
  in
  let cases (it : Ast_iterator.iterator) all =
    drop_cases all;
    List.iter guard all;
    default.cases it all
  in
  let nothing _ _ = () in
  let iterator =
    { default with expr; structure_item; pat; cases; typ = nothing; module_type = nothing; signature = nothing;
      attributes = nothing }
  in
  iterator.structure iterator tree;
  (* Short code has few faults of these kinds: there a name is also taken for another one of the same definition. *)
  if List.length !found < few then List.iter (swap_variables ~is_skipped replace_token) tree;
  List.rev !found
