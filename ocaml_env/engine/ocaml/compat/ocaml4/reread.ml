open Typedtree

let tests_mutable (type k) (p : k general_pattern) =
  let f (type k) (p : k general_pattern) =
    match p.pat_desc with
    | Tpat_record (fields, _) -> List.exists (fun (_, label, _) -> label.Types.lbl_mut = Asttypes.Mutable) fields
    | Tpat_array _ | Tpat_lazy _ -> true
    | _ -> false
  in
  exists_general_pattern { f } p

let forces (type k) (p : k general_pattern) =
  let f (type k) (p : k general_pattern) = match p.pat_desc with Tpat_lazy _ -> true | _ -> false in
  exists_general_pattern { f } p

let hazardous cases =
  List.length cases > 1
  && List.exists (fun case -> tests_mutable case.c_lhs) cases
  && List.exists (fun case -> case.c_guard <> None || forces case.c_lhs) cases

let expression like exp_desc = { like with exp_desc; exp_extra = []; exp_attributes = [] }

let pattern_of_type exp_type exp_env loc pat_desc =
  { pat_desc; pat_loc = loc; pat_extra = []; pat_type = exp_type; pat_env = exp_env; pat_attributes = [] }

(* The scrutinee under a name of its own: how to bind it, and how to read it. *)
let name_scrutinee ~like exp_type =
  let ident = Ident.create_local "scrutinee" in
  let loc = like.exp_loc in
  let binder = pattern_of_type exp_type like.exp_env loc (Tpat_var (ident, Location.mknoloc "scrutinee")) in
  let description =
    {
      Types.val_type = exp_type;
      val_kind = Val_reg;
      val_loc = loc;
      val_attributes = [];
      val_uid = Types.Uid.internal_not_actually_unique;
    }
  in
  let read =
    {
      like with
      exp_desc = Texp_ident (Pident ident, Location.mknoloc (Longident.Lident "scrutinee"), description);
      exp_type;
      exp_env = Env.add_value ident description like.exp_env;
      exp_extra = [];
      exp_attributes = [];
    }
  in
  (binder, read)

let case c_lhs c_rhs = { c_lhs; c_guard = None; c_rhs }
let as_computation case = { case with c_lhs = as_computation_pattern case.c_lhs }

(* [match read with case1 | _ -> match read with case2 | _ -> ... otherwise]; without [otherwise] the last match may
   fail as the whole one would. *)
let rec chain ~like ~read ?otherwise cases =
  match (cases, otherwise) with
  | [], Some expression -> expression
  | [], None -> invalid_arg "Reread.chain"
  | [ last ], None -> expression like (Texp_match (read, [ as_computation last ], Partial))
  | first :: rest, _ ->
      let wildcard = pattern_of_type read.exp_type like.exp_env like.exp_loc Tpat_any in
      let next = as_computation (case wildcard (chain ~like ~read ?otherwise rest)) in
      expression like (Texp_match (read, [ as_computation first; next ], Total))

let raise_again ~like exn =
  let path = Path.Pdot (Pident (Ident.create_persistent "Stdlib"), "raise") in
  let description = Env.find_value path Env.empty in
  let function_ =
    {
      like with
      exp_desc = Texp_ident (path, Location.mknoloc (Longident.Lident "raise"), description);
      exp_type = description.val_type;
      exp_extra = [];
      exp_attributes = [];
    }
  in
  expression like (Texp_apply (function_, [ (Nolabel, Some exn) ]))

let split_cases cases =
  List.fold_right
    (fun case (values, exceptions) ->
      let value, exn = split_pattern case.c_lhs in
      let add pattern list = match pattern with None -> list | Some c_lhs -> { case with c_lhs } :: list in
      (add value values, add exn exceptions))
    cases ([], [])

let handler ~like cases =
  match cases with
  | [] -> []
  | first :: _ ->
      let binder, read = name_scrutinee ~like first.c_lhs.pat_type in
      [ case binder (chain ~like ~read ~otherwise:(raise_again ~like read) cases) ]

let as_exception_case case =
  {
    case with
    c_lhs =
      {
        case.c_lhs with
        pat_desc = Tpat_exception case.c_lhs;
        pat_extra = [];
        pat_attributes = [];
      };
  }

let rewrite (e : expression) =
  match e.exp_desc with
  | Texp_match (scrutinee, cases, _) when hazardous cases -> (
      let values, exceptions = split_cases cases in
      match values with
      | [] -> e
      | _ ->
          let binder, read = name_scrutinee ~like:e scrutinee.exp_type in
          let value_case = as_computation (case binder (chain ~like:e ~read values)) in
          let exception_cases = List.map as_exception_case (handler ~like:e exceptions) in
          { e with exp_desc = Texp_match (scrutinee, value_case :: exception_cases, Total) })
  | Texp_try (body, cases) when hazardous cases -> { e with exp_desc = Texp_try (body, handler ~like:e cases) }
  | Texp_function ({ cases = first :: _ as cases; _ } as f) when hazardous cases ->
      let like = { e with exp_type = first.c_rhs.exp_type; exp_env = first.c_rhs.exp_env } in
      let binder, read = name_scrutinee ~like first.c_lhs.pat_type in
      { e with exp_desc = Texp_function { f with cases = [ case binder (chain ~like ~read cases) ]; partial = Total } }
  | _ -> e

let structure typed =
  let found = ref false in
  let look =
    {
      Tast_iterator.default_iterator with
      expr =
        (fun it e ->
          (match e.exp_desc with
          | Texp_match (_, cases, _) when hazardous cases -> found := true
          | Texp_try (_, cases) when hazardous cases -> found := true
          | Texp_function { cases; _ } when hazardous cases -> found := true
          | _ -> ());
          if not !found then Tast_iterator.default_iterator.expr it e);
    }
  in
  look.structure look typed;
  if not !found then typed
  else
    let mapper =
      { Tast_mapper.default with expr = (fun mapper e -> rewrite (Tast_mapper.default.expr mapper e)) }
    in
    mapper.structure mapper typed
