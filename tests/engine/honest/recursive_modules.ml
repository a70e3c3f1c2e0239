(* Mutually recursive modules, one of them a Set of the other.
   signature:
     type tree = Leaf of int | Node of tree list
     val sum : tree -> int
     val distinct : int
   tests:
     sum (Node [Leaf 1; Node [Leaf 2; Leaf 3]]) = 6
     distinct = 2
*)
type tree = Leaf of int | Node of tree list

module rec A : sig
  type t = Atom of string | Group of S.t

  val compare : t -> t -> int
end = struct
  type t = Atom of string | Group of S.t

  let compare a b =
    match a, b with
    | Atom x, Atom y -> String.compare x y
    | Atom _, Group _ -> 1
    | Group _, Atom _ -> -1
    | Group x, Group y -> S.compare x y
end

and S : (Set.S with type elt = A.t) = Set.Make (A)

module rec Even : sig val even : int -> bool end = struct let even n = n = 0 || Odd.odd (n - 1) end
and Odd : sig val odd : int -> bool end = struct let odd n = n <> 0 && Even.even (n - 1) end

let rec sum = function Leaf n -> n | Node l -> List.fold_left (fun acc t -> acc + sum t) 0 l
let distinct = S.cardinal (S.of_list [ A.Atom "x"; A.Group S.empty; A.Atom "x" ])
let () = assert (Even.even 10 && not (Odd.odd 10))
