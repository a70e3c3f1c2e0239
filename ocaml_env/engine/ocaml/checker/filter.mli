(** The environment of candidates: every interface of the standard library passes through this filter when it is
    loaded.

    An item that {!Policy} does not allow keeps its place in its module, since code refers to items by position, but
    under a name that cannot be written. So no expression, alias, functor, inclusion or coercion can reach it. *)

(** Is this unit loaded at all? *)
val knows_unit : string -> bool

val cmi : Policy.profile -> string -> Cmi_format.cmi_infos -> Cmi_format.cmi_infos

(** [withheld env lid] is the full name of what [lid] would mean if the filter were not there; [None] if it would
    mean nothing either, as with a misspelt name. A candidate's own module of the same name is never mistaken for it. *)
val withheld : Env.t -> Longident.t -> string option

(** A name as it is written. *)
val text : Longident.t -> string
