(** Does what a candidate defines fit the problem's signature, item by item? *)

type t = {
  diagnostics : Diagnostic.t list;  (** one for each item that is missing or ill-typed *)
  defined : int;  (** items of the signature that the candidate defines, well- or ill-typed *)
  unmet : Types.signature;  (** items that are missing or do not fit, and those that need one *)
}

(** The name of an item of a signature. *)
val ident_of : Types.signature_item -> Ident.t

(** Looks for types with another number of parameters than asked, on which the compiler may raise something else where
    others mention them.
    @raise Includemod.Error at the first. *)
val check_arities : Env.t -> Types.signature -> expected:Types.signature -> unit

(** [check env signature ~broken ~expected] also works when [signature] comes from code with errors. That a name in
    [broken], whose definition has an error already, does not fit or is not there follows from that error. *)
val check : Env.t -> Types.signature -> broken:string list -> expected:Types.signature -> t
