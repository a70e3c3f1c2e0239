(* below 5.2 *)
type (_, _) eq = Refl : ('a, 'a) eq
module type S1 = sig val x : int end
module type S2 = sig val x : int end
type 'p o = < m : 'a. 'p * 'a >
let text : (((module S1) o, (module S2) o) eq, string) result -> string = function
  | Error s -> s
  | Ok _ -> .
let lift : type a b. (a, b) eq -> (a o, b o) eq = fun Refl -> Refl
type ('a, 'b) result_like = Left of 'a | Right of 'b
let number : int -> (((module S1) o, (module S2) o) eq, string) result = fun _ -> Ok (lift (Refl : ((module S1), (module S2)) eq))
let conv (n : int) : string = text (number n)
