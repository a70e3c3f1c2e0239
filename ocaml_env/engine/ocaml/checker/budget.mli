(** The common CPU budget of one candidate's tests.

    Measured CPU time varies, so a sum of measured times would leave the first test beyond the budget to chance.
    Instead, a test that meets a limit costs a fixed price: twice the limit of one test, at which it is killed. A
    stack overflow comes sooner and costs a quarter of that. A test that answers costs nothing. Measured time ends a
    candidate only at {!backstop} times the total, far above honest candidates. *)

type t

val backstop : int
val create : Outcome.limits -> t

(** Counts only measured time, up to exactly the total: for trusted code. *)
val to_the_letter : Outcome.limits -> t

(** Takes a child's CPU microseconds. *)
val spend : t -> int -> unit

(** CPU microseconds that were taken. *)
val spent : t -> int

(** CPU microseconds that a child may still take. *)
val left : t -> int

(** The price of a child or a test with this outcome. *)
val price : t -> Outcome.test -> int

(** Takes a price. *)
val charge : t -> int -> unit

val is_used_up : t -> bool

(** The outcomes of tests in order. The tests after the one that used the budget up are {!Outcome.too_slow}, in
    whatever order the children ran. *)
val cut : Outcome.limits -> Outcome.test array -> prices:int array -> Outcome.test array
