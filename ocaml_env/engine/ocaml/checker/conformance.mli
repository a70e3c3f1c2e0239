(** Does what a candidate defines fit the problem's signature, item by item? *)

type t = {
  diagnostics : Diagnostic.t list;  (** one for each item that is missing or ill-typed *)
  defined : int;  (** items of the signature that the candidate defines, well- or ill-typed *)
  unmet : Types.signature;  (** items that are missing or do not fit, and those that need one *)
}

(** The name of an item of a signature. *)
val ident_of : Types.signature_item -> Ident.t

(** Looks for types with another number of parameters than required. The compiler may raise an unrelated exception if
    other types mention them.
    @raise Includemod.Error at the first. *)
val check_arities : Env.t -> Types.signature -> expected:Types.signature -> unit

(** [check env signature ~broken ~expected] also accepts a [signature] from code with errors. If a name in [broken]
    does not fit or is missing, that follows from the error in its definition. *)
val check : Env.t -> Types.signature -> broken:string list -> expected:Types.signature -> t
