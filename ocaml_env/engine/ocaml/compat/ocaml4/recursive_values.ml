open Lambda

let mentions names code = not (Ident.Set.disjoint names (free_variables code))

(* --- before it is simplified --- *)

exception Found

(* Is a function applied to what is being defined, before it is? A local name of what holds that is as unfinished. *)
let rec applies defined code =
  let holding part ids = if mentions defined part then Ident.Set.union defined (Ident.Set.of_list ids) else defined in
  match code with
  | Lfunction _ -> false
  | Lapply _ | Lsend _ -> mentions defined code
  | Llet (_, _, id, part, body) -> applies defined part || applies (holding part [ id ]) body
  | Lstaticcatch (part, (_, variables), body) ->
      applies defined part || applies (holding part (List.map fst variables)) body
  | Lletrec (bindings, body) ->
      let defined = List.fold_left (fun ids (id, _) -> Ident.Set.union ids (holding code [ id ])) defined bindings in
      List.exists (fun (_, part) -> applies defined part) bindings || applies defined body
  | _ -> (
      let look part = if applies defined part then raise_notrace Found in
      match iter_head_constructor look code with () -> false | exception Found -> true)

(* --- as it is emitted --- *)

(* What the code of a definition may mention: [defined], of which nothing is known but that it will be there one day, and
   [built], local names of blocks and closures that are there already. *)
type names = { defined : Ident.Set.t; built : Ident.Set.t }

(* Is what the code builds a block or closure of known size, and does it only store what is being defined? *)
let rec builds names = function
  | Lfunction _ -> true
  | Lvar id -> Ident.Set.mem id names.built
  | Lprim ((Pmakeblock _ | Pmakearray ((Paddrarray | Pintarray), _)), parts, _) -> List.for_all (stores names) parts
  | Llet (Strict, _, id, (Lprim (Pduprecord _, _, _) as copy), body) when not (mentions names.defined copy) ->
      updates names id body
  | Llet (_, _, id, part, body) -> stores names part && builds (bind names [ (id, part) ]) body
  | Lletrec (bindings, body) ->
      let names = bind names bindings in
      List.for_all (fun (_, part) -> stores names part) bindings && builds names body
  | Lsequence (before, body) -> (not (mentions names.defined before)) && builds names body
  | _ -> false

and stores names = function
  | Lvar _ -> true
  | code -> (not (mentions names.defined code)) || builds names code

(* [{ r with field = part; ... }], of which [id] is the copy. *)
and updates names id = function
  | Lsequence (Lprim ((Psetfield _ | Psetfloatfield _), [ Lvar copy; part ], _), rest) ->
      Ident.same copy id && stores names part && updates names id rest
  | Lvar copy -> Ident.same copy id
  | _ -> false

(* A local name of what holds something that is being defined is as unfinished as that. *)
and bind names bindings =
  let add are_in is_in (id, part) = if is_in part then Ident.Set.add id are_in else are_in in
  let are_unfinished = List.exists (fun (_, part) -> mentions names.defined part) bindings in
  {
    defined = List.fold_left (fun ids -> add ids (fun _ -> are_unfinished)) names.defined bindings;
    built = List.fold_left (fun ids -> add ids (builds names)) names.built bindings;
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
