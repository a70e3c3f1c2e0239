(* below 5.2 *)
type (_, _) eq = Refl : ('a, 'a) eq
module type S1 = sig val x : int end
module type S2 = sig val x : int end
type 'p o = < m : 'a. 'p * 'a >
type i = (module S1) o
type j = (module S2) o
type _ t = A : int -> i t | B : string -> j t
let text : j t -> string = function B s -> s
let cast : type a b. (a, b) eq -> a -> b = fun Refl x -> x
let lift : type a b. (a, b) eq -> (a o t, b o t) eq = fun Refl -> Refl
let same : (i t, j t) eq = lift (Refl : ((module S1), (module S2)) eq)
let conv (n : int) : string = text (cast same (A n))
