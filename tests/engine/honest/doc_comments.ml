(* Documentation comments in all the usual places, and some in odd ones.
   signature:
     type t = A | B
     val flip : t -> t
   tests:
     flip A = B
     flip (flip A) = A
*)

(** {1 A module about flipping}

    See {!flip}, [A] and {{:https://ocaml.org} the site}. *)

(** the type *)
type t =
  | A  (** the first *)
  | B  (** the second *)

(** [flip x] is the other one.
    @param x something
    @return the other one
    @raise Nothing ever *)
let flip = function
  | A -> (** here too *) B
  | B -> A
(** trailing *)

(** floating *)

(**)
(***)
(****)
