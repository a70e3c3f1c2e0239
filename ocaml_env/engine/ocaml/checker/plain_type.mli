(** Are the values of a type plain data, which bytes can represent? *)

(** The reason why not, as the clause by which a test runs inside: ["a function"], ["an abstract type"], ...; [None]
    for plain data. A type variable counts as data: a candidate's value of such a type contains nothing of that type. *)
val obstacle : Env.t -> Types.type_expr -> string option

(** Is it plain data of which no part can be changed in place? *)
val is_immutable : Env.t -> Types.type_expr -> bool
