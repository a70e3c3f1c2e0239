open Lambda

let mentions names code = not (Ident.Set.disjoint names (free_variables code))

(* With the local names of what holds something that is being defined: they are as unfinished as that. *)
let rec holding defined bindings =
  let holds (id, part) = (not (Ident.Set.mem id defined)) && mentions defined part in
  match List.filter holds bindings with
  | [] -> defined
  | found -> holding (Ident.Set.union defined (Ident.Set.of_list (List.map fst found))) bindings

(* --- before it is simplified --- *)

exception Found

(* Is a function applied to what is being defined, before it is? *)
let rec applies defined = function
  | Lfunction _ -> false
  | (Lapply _ | Lsend _) as code -> mentions defined code
  | Llet (_, _, id, part, body) -> applies defined part || applies (holding defined [ (id, part) ]) body
  | Lstaticcatch (part, (_, variables), body) ->
      let bindings = List.map (fun (id, _) -> (id, part)) variables in
      applies defined part || applies (holding defined bindings) body
  | Lletrec (bindings, body) ->
      let defined = holding defined bindings in
      List.exists (fun (_, part) -> applies defined part) bindings || applies defined body
  | code -> (
      let look part = if applies defined part then raise_notrace Found in
      match iter_head_constructor look code with () -> false | exception Found -> true)

(* --- as it is emitted --- *)

(* What the code of a definition may mention: [defined], of which nothing is known but that it will be there one day, and
   [built], local names of what is there already. *)
type names = { defined : Ident.Set.t; built : Ident.Set.t }

(* Is what the code builds a constant, or a block or closure of known size, and does it only store what is being defined? *)
let rec builds names = function
  | Lfunction _ | Lconst _ -> true
  | Lvar id -> Ident.Set.mem id names.built
  | Lprim ((Pmakeblock _ | Pmakearray ((Paddrarray | Pintarray), _)), parts, _) -> List.for_all (stores names) parts
  | Llet (Strict, _, id, (Lprim (Pduprecord _, _, _) as copy), body) when not (mentions names.defined copy) ->
      updates names id body
  | Llet (_, _, id, part, body) -> stores names part && builds (bind names [ (id, part) ]) body
  | Lletrec (bindings, body) ->
      let names = bind names bindings in
      List.for_all (fun (_, part) -> stores names part) bindings && builds names body
  | Lsequence (before, body) -> stores names before && builds names body
  | Levent (code, _) -> builds names code
  | Lmutlet (_, _, part, Lconst _) -> stores names part
  | _ -> false

and stores names = function
  | Lvar _ -> true
  | Lsequence (before, part) -> stores names before && stores names part
  | Lifthenelse (test, left, right) ->
      (not (mentions names.defined test)) && stores names left && stores names right
  | Lswitch (scrutinee, { sw_consts; sw_blocks; sw_failaction; _ }, _) ->
      let cases = List.map snd (sw_consts @ sw_blocks) @ Option.to_list sw_failaction in
      (not (mentions names.defined scrutinee)) && List.for_all (stores names) cases
  | code -> (not (mentions names.defined code)) || builds names code

(* [{ r with field = part; ... }], of which [id] is the copy. *)
and updates names id = function
  | Lsequence (Lprim ((Psetfield _ | Psetfloatfield _), [ Lvar copy; part ], _), rest) ->
      Ident.same copy id && stores names part && updates names id rest
  | Lvar copy -> Ident.same copy id
  | _ -> false

and bind names bindings =
  let are_built = List.filter (fun (_, part) -> builds names part) bindings in
  {
    defined = holding names.defined bindings;
    built = Ident.Set.union names.built (Ident.Set.of_list (List.map fst are_built));
  }

(* --- *)

(* What [let rec] defines, with the places of the definitions, where a unit has more of them than functions; and the
   names of its classes, which the compiler ties by means of its own. *)
type definitions = { mutable values : (Ident.t * Location.t) list; mutable classes : Ident.t list }

let definitions structure =
  let found = { values = []; classes = [] } in
  let is_function (b : Typedtree.value_binding) = match b.vb_expr.exp_desc with Texp_function _ -> true | _ -> false in
  let add (b : Typedtree.value_binding) =
    let named id = (id, b.vb_expr.exp_loc) in
    found.values <- List.map named (Typedtree.pat_bound_idents b.vb_pat) @ found.values
  in
  let default = Tast_iterator.default_iterator in
  let it =
    {
      default with
      value_bindings =
        (fun it ((is_recursive, bindings) as all) ->
          if is_recursive = Asttypes.Recursive && not (List.for_all is_function bindings) then List.iter add bindings;
          default.value_bindings it all);
      class_declaration =
        (fun it c ->
          found.classes <- c.ci_id_class :: found.classes;
          default.class_declaration it c);
    }
  in
  it.structure it structure;
  found

let refuse loc =
  raise
    (Location.Error
       (Location.error ~loc "This is refused because it is unsound: the definition of a recursive value computes with it"))

let check structure ~translated ~simplified =
  let { values; classes } = definitions structure in
  let refuse_where is_wrong code =
    let check_definition defined (id, part) =
      if (not (List.exists (Ident.same id) classes)) && mentions defined part && is_wrong defined part then
        refuse (Option.value (List.assoc_opt id values) ~default:Location.none)
    in
    let rec look code =
      (match code with
      | Lletrec (bindings, _) ->
          List.iter (check_definition (Ident.Set.of_list (List.map fst bindings))) bindings
      | _ -> ());
      iter_head_constructor look code
    in
    look code
  in
  if values <> [] then (
    refuse_where applies translated;
    refuse_where (fun defined part -> not (builds { defined; built = Ident.Set.empty } part)) simplified)
