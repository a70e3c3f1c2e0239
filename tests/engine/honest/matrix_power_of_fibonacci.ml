(* Arithmetic with modules for matrices, exponentiation by squaring, and a modulus.
   signature:
     val fibonacci : int -> int
     val power : int -> int -> int -> int
   tests:
     fibonacci 10 = 55
     fibonacci 1_000_000 = 918091266
     power 2 10 1_000 = 24
*)
module type MONOID = sig
  type t

  val one : t
  val mul : t -> t -> t
end

module Power (M : MONOID) = struct
  let rec pow x n =
    if n = 0 then M.one
    else
      let half = pow x (n / 2) in
      let squared = M.mul half half in
      if n land 1 = 1 then M.mul squared x else squared
end

let modulus = 1_000_000_007

module Matrix = struct
  type t = { a : int; b : int; c : int; d : int }

  let one = { a = 1; b = 0; c = 0; d = 1 }

  let mul x y =
    let ( + ) p q = (p + q) mod modulus and ( * ) p q = p * q mod modulus in
    { a = (x.a * y.a) + (x.b * y.c);
      b = (x.a * y.b) + (x.b * y.d);
      c = (x.c * y.a) + (x.d * y.c);
      d = (x.c * y.b) + (x.d * y.d) }
end

module Matrix_power = Power (Matrix)

let fibonacci n = (Matrix_power.pow { Matrix.a = 1; b = 1; c = 1; d = 0 } n).Matrix.b

let power base n m =
  let module P = Power (struct type t = int let one = 1 let mul a b = a * b mod m end) in
  P.pow base n
