(** Is what has a type plain data, which bytes can stand for? *)

(** Why not, as the clause by which a test stays beside the candidate: ["a function"], ["an abstract type"], ...; [None]
    for plain data. A variable stands for data: no value of the candidate's has such a type but one that holds nothing of
    it. *)
val obstacle : Env.t -> Types.type_expr -> string option

(** Is it plain data of which no part can be changed in place? *)
val is_immutable : Env.t -> Types.type_expr -> bool
