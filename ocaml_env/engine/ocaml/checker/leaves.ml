open Typedtree
module Names = Dependence.Names

exception Inside of string

let inside clause = raise (Inside clause)

type scope = {
  unit_name : string;
  tainted : Names.t;  (** names that are made out of the candidate's values *)
  answers : Names.t;  (** those of them that are the candidate's own: an alias, what it returned, its functor applied *)
  changing : Names.t;  (** names that may be, or hide, something that changes *)
  drawing : Names.t;  (** functions that draw at random, and read nothing else that changes *)
}

type split = { predicate : Predicate.t; code : expression; constants : expression; has_constants : bool }

let add_all names idents = List.fold_left (fun names id -> Names.add id names) names idents
let head path = match Path.head path with id -> Some id | exception _ -> None

let is_primitive e names =
  match e.exp_desc with
  | Texp_ident (_, _, { val_kind = Val_prim { prim_name; _ }; _ }) -> List.mem prim_name names
  | _ -> false

(* --- what is the candidate's own --- *)

let is_own scope path =
  match head path with
  | Some id -> (Ident.persistent id && Ident.name id = scope.unit_name) || Names.mem id scope.answers
  | None -> false

let rec is_answer scope e =
  match e.exp_desc with
  | Texp_ident (path, _, _) -> is_own scope path
  | Texp_apply (f, _) -> is_answer scope f
  | Texp_field (e, _, _) -> is_answer scope e
  | _ -> false

let rec is_own_module scope m =
  match m.mod_desc with
  | Tmod_ident (path, _) -> is_own scope path
  | Tmod_apply (f, _, _) -> is_own_module scope f
  | Tmod_constraint (m, _, _, _) -> is_own_module scope m
  | _ -> false

(* --- what changes --- *)

let rec unit_and_name : Path.t -> (string * string) option = function
  | Pdot (Pident id, name) when Ident.persistent id -> Some (Ident.name id, name)
  | Pdot (Pdot (Pident id, unit_), name) when Ident.persistent id && Ident.name id = "Stdlib" -> Some (unit_, name)
  | Pdot (prefix, name) -> Option.map (fun (unit_, _) -> (unit_, name)) (unit_and_name prefix)
  | _ -> None

let without_prefix unit_ =
  let prefix = "Stdlib__" in
  let size = String.length prefix in
  if String.length unit_ > size && String.sub unit_ 0 size = prefix then String.sub unit_ size (String.length unit_ - size)
  else unit_

(* [draws] where what is drawn at random is the same here as away from the candidate. *)
let reads_what_changes ?(draws = false) scope paths =
  let reads path =
    match head path with
    | None -> true
    | Some id when Ident.persistent id -> (
        match unit_and_name path with
        | Some ("Stdlib", name) when Library_state.is_library name -> not (Library_state.is_forgetful name)
        | Some (unit_, name) ->
            let unit_ = without_prefix unit_ in
            Library_state.remembers ~unit_ name && not (draws && Library_state.only_draws ~unit_ name)
        | None -> false (* a whole module *))
    | Some id -> Names.mem id scope.changing || ((not draws) && Names.mem id scope.drawing)
  in
  List.exists reads paths

let is_function e = match e.exp_desc with Texp_function _ -> true | _ -> false

let defines_functions item =
  match item.str_desc with Tstr_value (_, bindings) -> List.for_all (fun b -> is_function b.vb_expr) bindings | _ -> false

let rec item_may_change item =
  match item.str_desc with
  | Tstr_value (_, bindings) ->
      List.exists
        (fun { vb_expr = e; _ } -> not (is_function e || Plain_type.is_immutable e.exp_env e.exp_type))
        bindings
  | Tstr_module { mb_expr; _ } -> module_may_change mb_expr
  | Tstr_recmodule bindings -> List.exists (fun b -> module_may_change b.mb_expr) bindings
  | Tstr_include { incl_mod; _ } -> module_may_change incl_mod
  | Tstr_open { open_expr; _ } -> module_may_change open_expr
  | Tstr_class _ | Tstr_primitive _ -> true
  | _ -> false

and module_may_change m =
  match m.mod_desc with
  | Tmod_structure { str_items; _ } -> List.exists item_may_change str_items
  | Tmod_ident _ -> false
  | Tmod_functor (_, m) | Tmod_constraint (m, _, _, _) -> module_may_change m
  | Tmod_apply (f, argument, _) -> module_may_change f || module_may_change argument
  | _ -> true

let scope ~unit_name ~tainted items =
  let add scope item =
    let names = Dependence.defined_idents item in
    let own =
      match item.str_desc with
      | Tstr_value (_, bindings) ->
          List.concat_map (fun b -> if is_answer scope b.vb_expr then let_bound_idents [ b ] else []) bindings
      | Tstr_module { mb_id; mb_expr; _ } when is_own_module scope mb_expr -> Option.to_list mb_id
      | Tstr_include { incl_mod; _ } when is_own_module scope incl_mod -> names
      | _ -> []
    in
    let paths = Dependence.paths_of_item item in
    let draws = defines_functions item && not (reads_what_changes ~draws:true scope paths) in
    let changes = item_may_change item || reads_what_changes scope paths in
    {
      scope with
      answers = add_all scope.answers own;
      changing = (if changes && not draws then add_all scope.changing names else scope.changing);
      drawing = (if changes && draws then add_all scope.drawing names else scope.drawing);
    }
  in
  List.fold_left add { unit_name; tainted; answers = Names.empty; changing = Names.empty; drawing = Names.empty } items

(* --- code that reports --- *)

let bare like exp_desc = { like with exp_desc; exp_type = Predef.type_unit; exp_extra = []; exp_attributes = [] }
let number like n = bare like (Texp_constant (Const_int n))

let call like prim_name arguments =
  let description =
    {
      Types.val_type = Predef.type_unit;
      val_kind = Val_prim (Primitive.simple ~name:prim_name ~arity:(List.length arguments) ~alloc:true);
      val_loc = like.exp_loc;
      val_attributes = [];
      val_uid = Types.Uid.internal_not_actually_unique;
    }
  in
  let path = Path.Pident (Ident.create_local prim_name) in
  let f = bare like (Texp_ident (path, Location.mknoloc (Longident.Lident prim_name), description)) in
  bare like (Texp_apply (f, List.map (fun argument -> (Asttypes.Nolabel, Some argument)) arguments))

(* The compiler evaluates the parts of a tuple in the order in which it evaluates the sides of a comparison. *)
let report like atom leaves =
  let tuple = if leaves = [] then number like 0 else bare like (Texp_tuple leaves) in
  call like "ocaml_env_report_leaves" [ number like atom; tuple ]

let report_raised like atom ~slots ~catches_all exn =
  let slot path =
    bare like (Texp_extension_constructor (Location.mknoloc (Longident.Lident (Path.last path)), path))
  in
  let slots = if slots = [] then number like 0 else bare like (Texp_tuple (List.map slot slots)) in
  call like "ocaml_env_report_raised" [ number like atom; slots; number like (Bool.to_int catches_all); exn ]

(* --- the split --- *)

(* A place in a test. *)
type place = {
  scope : scope;
  locals : Names.t;  (** names of C, but for those of givens *)
  givens : Names.t;  (** names of C for what needs no candidate and never changes: constants may use them *)
  bound : Layout.variables;  (** names of P *)
  caught : (Ident.t * (int * (Path.t -> int))) list;
      (** names of P for exceptions: the number, and how the handlers number constructors *)
  strict : bool;  (** is what stands here computed whenever the test is true? *)
  must_be : bool option;  (** what this is whenever the test is true *)
  is_handled : bool;  (** are exceptions of P caught? *)
  is_first : bool;  (** did nothing of the test run before, but for givens? *)
}

type state = {
  mutable atoms : int;
  mutable variables : int;
  mutable constants : expression list;  (** the last one first *)
  mutable givens : (Asttypes.rec_flag * value_binding list) list;  (** likewise: what constants need around them *)
  mutable seen : ((Path.t * string list) * Predicate.t) list;  (** leaves that are names, by which they are known again *)
  mutable leaves : expression list option;  (** of the atom that is being collected, likewise *)
}

let fresh state () =
  state.variables <- state.variables + 1;
  state.variables

let new_atom state =
  state.atoms <- state.atoms + 1;
  state.atoms - 1

let mentions names paths = List.exists (fun path -> match head path with Some id -> names id | None -> false) paths
let mentions_bound place paths =
  mentions (fun id -> List.mem_assoc id place.bound || List.mem_assoc id place.caught) paths

let needs_candidate { unit_name; tainted; _ } e = Dependence.expression_needs_candidate ~unit_name ~tainted e

let rec cannot_raise e =
  match e.exp_desc with
  | Texp_constant _ | Texp_ident _ -> true
  | Texp_construct (_, _, parts) | Texp_tuple parts | Texp_array parts -> List.for_all cannot_raise parts
  | Texp_variant (_, part) -> Option.fold ~none:true ~some:cannot_raise part
  | _ -> false

let is_constant ?draws (place : place) e =
  let paths = Dependence.paths_of_expression e in
  (not (needs_candidate place.scope e))
  && (not (mentions (fun id -> Names.mem id place.locals) paths))
  && (not (mentions_bound place paths))
  && (not (reads_what_changes ?draws place.scope paths))
  && not (place.is_handled && mentions (fun id -> Names.mem id place.givens) paths && not (cannot_raise e))

(* Bindings of C that are computed away from the candidate as well, for constants to use: what stands beside the candidate
   can be changed there. *)
let is_given place { vb_expr = e; _ } =
  if is_function e then is_constant place e
  else is_constant ~draws:place.is_first place e && Plain_type.is_immutable e.exp_env e.exp_type

let literal e =
  match e.exp_desc with
  | Texp_construct (_, { cstr_name = ("true" | "false") as name; _ }, []) -> Some (Predicate.Literal (name = "true"))
  | _ -> None

let constant place state e : Predicate.t =
  match literal e with
  | Some literal -> literal
  | None ->
      (* One that raises would be caught: by a handler that P does not know. *)
      if place.is_handled && not (cannot_raise e) then inside "under a handler";
      Option.iter inside (Plain_type.obstacle e.exp_env e.exp_type);
      state.constants <- e :: state.constants;
      Constant (List.length state.constants - 1)

let is_bool e =
  match Compiler.constructor (Ctype.expand_head e.exp_env e.exp_type) with
  | Some (path, []) -> Path.same path Predef.path_bool
  | _ -> false

(* Whose word a boolean is. *)
let rec speaker place e =
  match e.exp_desc with
  | Texp_apply (f, _) when is_primitive f [ "%eq"; "%noteq" ] -> "physical equality"
  | Texp_apply (f, _) -> speaker place f
  | Texp_ident (path, _, _) -> (
      match head path with
      | Some id when Ident.persistent id -> "a predicate of the library"
      | Some id when Names.mem id place.locals -> "a predicate of the test"
      | _ -> "a predicate of the prelude")
  | Texp_for _ | Texp_while _ -> "a loop"
  | _ -> "another form"

(* An expression that is a name, or a part of what has one: none that can change, so not a reference's contents. *)
let rec name_of e =
  let part e name = Option.map (fun (path, parts) -> (path, name :: parts)) (name_of e) in
  match e.exp_desc with
  | _ when not (Plain_type.is_immutable e.exp_env e.exp_type) -> None
  | Texp_ident (path, _, _) -> Some (path, [])
  | Texp_field (e, _, { lbl_name; _ }) -> part e lbl_name
  | Texp_apply ({ exp_desc = Texp_ident (_, _, { val_kind = Val_prim { prim_name; _ }; _ }); _ }, [ (_, Some e) ])
    when List.mem prim_name [ "%field0"; "%field1" ] ->
      part e prim_name
  | _ -> None

let is_same_name (path, parts) (other, others) = Path.same path other && parts = others

(* A new leaf, unless its value was reported before: a name has one value, and who reports leaves that nobody computed
   shall not give it two. *)
let leaf_of place state e make =
  match name_of e with
  | Some name when not place.is_handled -> (
      match List.find_opt (fun (other, _) -> is_same_name name other) state.seen with
      | Some (_, leaf) -> leaf
      | None ->
          let leaf = make () in
          state.seen <- (name, leaf) :: state.seen;
          leaf)
  | _ -> make ()

let leaf place state e : Predicate.t =
  if mentions_bound place (Dependence.paths_of_expression e) then inside "computes with a part of an answer";
  if not place.strict then inside "under a condition";
  Option.iter inside (Plain_type.obstacle e.exp_env e.exp_type);
  if is_bool e && not (is_answer place.scope e) then inside (speaker place e);
  leaf_of place state e (fun () ->
      match state.leaves with
      | None -> invalid_arg "Leaves.leaf"
      | Some leaves ->
          state.leaves <- Some (e :: leaves);
          Leaf { atom = state.atoms; place = List.length leaves })

(* Collects an atom: what [f] makes of its leaves, and the code that reports them, if there are any. *)
let atom state like f =
  state.leaves <- Some [];
  let predicate = f () in
  let leaves = match state.leaves with Some leaves -> List.rev leaves | None -> [] in
  state.leaves <- None;
  if leaves = [] then (predicate, None) else (predicate, Some (report like (new_atom state) leaves))

let applied e =
  let all arguments =
    let positional = function Asttypes.Nolabel, Some argument -> Some argument | _ -> None in
    let found = List.filter_map positional arguments in
    if List.length found = List.length arguments then found else []
  in
  match e.exp_desc with
  | Texp_apply ({ exp_desc = Texp_ident (_, _, { val_kind = Val_prim { prim_name; _ }; _ }); _ }, arguments) ->
      (prim_name, all arguments)
  | Texp_apply ({ exp_desc = Texp_ident (path, _, _); _ }, arguments) -> (Path.name path, all arguments)
  | _ -> ("", [])

let relation_of : string -> Predicate.relation option = function
  | "%equal" -> Some Equal
  | "%notequal" -> Some Different
  | "%lessthan" -> Some Less
  | "%lessequal" -> Some Less_equal
  | "%greaterthan" -> Some Greater
  | "%greaterequal" -> Some Greater_equal
  | _ -> None

(* What computes a value of any type, within an atom. *)
let rec term place state e : Predicate.t =
  if is_constant place e then constant place state e
  else
    let of_two make a b =
      let a = term place state a in
      make a (term place state b)
    in
    match (applied e, e.exp_desc) with
    | _, Texp_ident (Pident id, _, _) when List.mem_assoc id place.bound -> Variable (List.assoc id place.bound)
    | ("%compare", [ a; b ]), _ ->
        Option.iter inside (Plain_type.obstacle a.exp_env a.exp_type);
        of_two (fun a b -> Predicate.Compare (a, b)) a b
    | ("%subint", [ a; b ]), _ -> of_two (fun a b -> Predicate.Subtract (a, b)) a b
    | ("%subfloat", [ a; b ]), _ -> of_two (fun a b -> Predicate.Subtract_float (a, b)) a b
    | ("%negint", [ a ]), _ -> Negate (term place state a)
    | ("%negfloat", [ a ]), _ -> Negate_float (term place state a)
    | ("%absfloat", [ a ]), _ -> Absolute_float (term place state a)
    | (("Stdlib.abs" | "Stdlib.Int.abs" | "Stdlib__Int.abs"), [ a ]), _ -> Absolute (term place state a)
    | _ -> leaf place state e

let both like first second =
  match (first, second) with
  | None, code | code, None -> code
  | Some first, Some second -> Some (bare like (Texp_sequence (first, second)))

let within like code make = Some (bare like (make (Option.value code ~default:(number like 0))))

let caught place e =
  match e.exp_desc with Texp_ident (Pident id, _, _) -> List.assoc_opt id place.caught | _ -> None

(* What is true or false, with the code that reports its leaves. *)
let rec formula place state e : Predicate.t * expression option =
  if is_constant place e then (constant place state e, None)
  else
    let beginning = place in
    let place = { place with is_first = false } in
    let free = { place with must_be = None } in
    let under_condition = { free with strict = false } in
    (* The right side is computed whenever the test is true if the left one must be [b]. *)
    let right_of b = if place.strict && place.must_be = Some b then place else under_condition in
    match (applied e, e.exp_desc) with
    | ("%sequand", [ a; b ]), _ ->
        let a, code = formula (if place.must_be = Some true then place else free) state a in
        let b, more = formula (right_of true) state b in
        (And (a, b), both e code more)
    | ("%sequor", [ a; b ]), _ ->
        let a, code = formula (if place.must_be = Some false then place else free) state a in
        let b, more = formula (right_of false) state b in
        (Or (a, b), both e code more)
    | ("%boolnot", [ a ]), _ ->
        let a, code = formula { place with must_be = Option.map not place.must_be } state a in
        (Not a, code)
    | ("%equal", [ a; b ]), _ when literal b <> None -> said_to_be place state a ~literal:b
    | ("%equal", [ a; b ]), _ when literal a <> None -> said_to_be place state b ~literal:a
    | (("%equal" | "%notequal") as name, [ a; b ]), _ when caught place a <> None || caught place b <> None ->
        let same =
          match (caught place a, caught place b) with
          | Some exn, _ -> is_exception place state exn b
          | None, exn -> is_exception place state (Option.get exn) a
        in
        ((if name = "%equal" then same else Not same), None)
    | (name, [ a; b ]), _ when relation_of name <> None ->
        Option.iter inside (Plain_type.obstacle a.exp_env a.exp_type);
        atom state e (fun () ->
            let a = term free state a in
            let b = term free state b in
            Predicate.Relation (Option.get (relation_of name), a, b))
    | (("Stdlib.Float.is_nan" | "Stdlib__Float.is_nan"), [ a ]), _ ->
        atom state e (fun () ->
            let a = term free state a in
            Predicate.Relation (Different, a, a))
    | _, Texp_ifthenelse (condition, a, Some b) ->
        let condition, code = formula free state condition in
        let a, _ = formula under_condition state a in
        let b, _ = formula under_condition state b in
        (If (condition, a, b), code)
    | _, Texp_let (flag, bindings, body) when place.strict && (not place.is_handled) && List.for_all (is_given beginning) bindings ->
        state.givens <- (flag, bindings) :: state.givens;
        let givens = add_all place.givens (let_bound_idents bindings) in
        let predicate, code = formula { beginning with givens } state body in
        (predicate, within e code (fun code -> Texp_let (flag, bindings, code)))
    | _, Texp_let (flag, bindings, body) ->
        let own = List.concat_map (fun b -> if is_answer place.scope b.vb_expr then let_bound_idents [ b ] else []) bindings in
        context place state e ~names:(let_bound_idents bindings) ~own body (fun code -> Texp_let (flag, bindings, code))
    | _, Texp_sequence (first, body) ->
        context place state e ~names:[] ~own:[] body (fun code -> Texp_sequence (first, code))
    | _, Texp_letmodule (id, name, presence, m, body) ->
        let names = Option.to_list id in
        let own = if is_own_module place.scope m then names else [] in
        context place state e ~names ~own body (fun code -> Texp_letmodule (id, name, presence, m, code))
    | _, Texp_open (({ open_expr; open_bound_items; _ } as opening), body) ->
        let names = List.map Conformance.ident_of open_bound_items in
        let own = if is_own_module place.scope open_expr then names else [] in
        context place state e ~names ~own body (fun code -> Texp_open (opening, code))
    | _, Texp_match _ -> (
        match Compiler.match_of e with Some (on, cases) -> matched place state e on cases | None -> inside "another form")
    | _, Texp_try _ -> (
        match Compiler.try_of e with Some (body, handlers) -> tried place state e body handlers | None -> inside "another form")
    | _ -> atom state e (fun () -> term free state e)

(* [e = C (a, b)] of an exception that was caught: which it is, then its arguments. *)
and is_exception place state (number, slot) e =
  match e.exp_desc with
  | Texp_construct (_, { cstr_tag = Cstr_extension (path, _); cstr_inlined = None; _ }, arguments) ->
      let argument a =
        Option.iter inside (Plain_type.obstacle a.exp_env a.exp_type);
        let expected = term { place with strict = false } state a in
        (fresh state (), expected)
      in
      let arguments = List.map argument arguments in
      let field i (variable, _) = (i, Predicate.Bind (Any, variable)) in
      let agrees rest (variable, expected) = Predicate.And (rest, Relation (Equal, Variable variable, expected)) in
      let only pattern result =
        let case pattern result = { Predicate.pattern; guard = None; result } in
        [ case pattern result; case Predicate.Any (Predicate.Literal false) ]
      in
      let fields = Predicate.Block { tag = 0; size = None; fields = List.mapi field arguments } in
      let agree = List.fold_left agrees (Literal true) arguments in
      let match_ on cases = Predicate.Match { on = Variable on; cases; failure = "" } in
      match_ number (only (Predicate.Same (Data.of_int (slot path))) (match_ (number + 1) (only fields agree)))
  | _ -> inside "an exception"

and said_to_be place state e ~literal:b =
  if literal b = Some (Literal true) then formula place state e
  else
    let found, code = formula { place with must_be = Option.map not place.must_be } state e in
    (Not found, code)

(* A part of C. *)
and context place state like ~names ~own body make =
  if not place.strict then inside "under a condition";
  let scope = { place.scope with answers = add_all place.scope.answers own } in
  let predicate, code = formula { place with scope; is_first = false; locals = add_all place.locals names } state body in
  (predicate, within like code make)

and case : 'k 'p. place -> state -> 'k case -> 'p -> Layout.variables -> 'p Predicate.case =
 fun place state { c_lhs; c_guard; c_rhs; _ } pattern variables ->
  let locals = add_all place.locals (pat_bound_idents c_lhs) in
  let place = { place with locals; strict = false; must_be = None; bound = variables @ place.bound } in
  let formula e = fst (formula place state e) in
  let guard = Option.map formula c_guard in
  { pattern; guard; result = formula c_rhs }

and value_cases place state cases =
  let value c =
    match split_pattern c.c_lhs with
    | Some p, _ ->
        let pattern, variables = Layout.pattern ~fresh:(fresh state) p in
        Some (case place state c pattern variables)
    | None, _ -> None
  in
  List.filter_map value cases

(* Handlers, the exceptions that they know, and whether they take all others, too. *)
and handlers : 'k. place -> state -> ('k Typedtree.case * pattern) list -> _ =
 fun place state cases ->
  let slots = ref [] in
  let slot path =
    let rec find i = function
      | [] ->
          slots := !slots @ [ path ];
          i
      | other :: rest -> if Path.same path other then i else find (i + 1) rest
    in
    find 0 !slots
  in
  let handler (c, p) =
    let { Layout.pattern; variables; exceptions } = Layout.handled ~fresh:(fresh state) ~slot p in
    let caught = List.map (fun (id, number) -> (id, (number, slot))) exceptions in
    case { place with caught = caught @ place.caught } state c pattern variables
  in
  let cases = List.map handler cases in
  let rec is_all : Predicate.handled -> bool = function
    | Anything -> true
    | Named (handled, _) -> is_all handled
    | One_of (a, b) -> is_all a || is_all b
    | Known _ -> false
  in
  let takes_all { Predicate.pattern; guard; _ } = guard = None && is_all pattern in
  (cases, !slots, List.exists takes_all cases)

and matched place state like on cases =
  (* It may match nothing, and what is raised then would be caught. *)
  if place.is_handled then inside "under a handler";
  let exceptional c = Option.map (fun p -> (c, p)) (snd (split_pattern c.c_lhs)) in
  let of_exceptions = List.filter_map exceptional cases in
  let start = like.exp_loc.loc_start in
  let from = start.pos_cnum - start.pos_bol in
  let failure =
    Printf.sprintf "File %S, line %d, characters %d-%d: Pattern matching failed" start.pos_fname start.pos_lnum from (from + 5)
  in
  let free = { place with must_be = None } in
  let values = value_cases free state cases in
  let looks_at_nothing (c : Predicate.pattern Predicate.case) = c.pattern = Any in
  if of_exceptions = [] then
    let on, code = atom state like (fun () -> term free state on) in
    (Match { on; cases = values; failure }, code)
  else if not place.strict then inside "under a condition"
  else
    let handlers, slots, catches_all = handlers free state of_exceptions in
    let number = state.atoms in
    let on, body =
      if List.for_all looks_at_nothing values then
        (* What is returned need not be data. *)
        let code = bare like (Texp_sequence (on, report like (new_atom state) [])) in
        (Predicate.Literal true, code)
      else
        match atom state like (fun () -> leaf { free with is_handled = true } state on) with
        | on, Some code -> (on, code)
        | _, None -> inside "another form"
    in
    let code = Compiler.try_with ~like:(bare like like.exp_desc) body (report_raised like number ~slots ~catches_all) in
    (Guarded { atom = number; body = Match { on; cases = values; failure }; handlers }, Some code)

(* The body's leaves are one atom: either it is reported, or what was raised is. *)
and tried place state like body cases =
  if place.is_handled || not place.strict then inside "under a handler";
  let number = state.atoms in
  let predicate, code = formula { place with must_be = None; is_handled = true } state body in
  let handlers, slots, catches_all =
    handlers { place with must_be = None } state (List.map (fun c -> (c, c.c_lhs)) cases)
  in
  let code =
    match (code, state.atoms - number) with
    | Some code, 0 -> bare like (Texp_sequence (code, report like (new_atom state) []))
    | Some code, 1 -> code
    | _ -> inside "under a handler"
  in
  let code = Compiler.try_with ~like:(bare like like.exp_desc) code (report_raised like number ~slots ~catches_all) in
  (Guarded { atom = number; body = predicate; handlers }, Some code)

let report_constant like i e =
  Compiler.try_with ~like (report like i [ e ]) (report_raised like i ~slots:[] ~catches_all:true)

let split scope e =
  let state = { atoms = 0; variables = 0; constants = []; givens = []; seen = []; leaves = None } in
  let place =
    { scope; locals = Names.empty; givens = Names.empty; bound = []; caught = []; strict = true; must_be = Some true; is_handled = false; is_first = true }
  in
  match formula place state e with
  | predicate, code ->
      let code = Option.value code ~default:(number e 0) in
      let reports = List.mapi (report_constant (number e 0)) (List.rev state.constants) in
      let sequence rest first = bare e (Texp_sequence (first, rest)) in
      let around code (flag, bindings) = bare e (Texp_let (flag, bindings, code)) in
      let constants = List.fold_left around (List.fold_left sequence (number e 0) (List.rev reports)) state.givens in
      Ok { predicate; code; constants; has_constants = state.constants <> [] }
  | exception (Inside clause | Layout.Unsupported clause) -> Error clause
