let name = Printf.sprintf "<hole:%x>" Random.State.(bits (make_self_init ()))

let is_in text =
  let size = String.length name in
  let rec search at =
    at + size <= String.length text && (String.equal (String.sub text at size) name || search (at + 1))
  in
  search 0

let expression loc = Ast_helper.Exp.ident ~loc { txt = Longident.Lident name; loc }

let fits_everything () =
  {
    Types.val_type = Compiler.any_type ();
    val_kind = Val_reg;
    val_loc = Location.none;
    val_attributes = [];
    val_uid = Types.Uid.internal_not_actually_unique;
  }

let bind name env = Env.enter_value name (fits_everything ()) env
