(* An infinite stream of primes with lazy values and patterns.
   signature:
     val primes : int -> int list
     val forced_once : unit -> int
   tests:
     primes 6 = [2; 3; 5; 7; 11; 13]
     primes 0 = []
     forced_once () = 1
*)
type 'a stream = Cons of 'a * 'a stream Lazy.t

let rec from n = Cons (n, lazy (from (n + 1)))

let rec filter p (Cons (x, (lazy rest))) =
  if p x then Cons (x, lazy (filter p rest)) else filter p rest

let rec sieve (Cons (p, rest)) = Cons (p, lazy (sieve (filter (fun n -> n mod p <> 0) (Lazy.force rest))))
let rec take n (Cons (x, rest)) = if n <= 0 then [] else if n = 1 then [ x ] else x :: take (n - 1) (Lazy.force rest)
let primes n = take n (sieve (from 2))

let forced_once () =
  let count = ref 0 in
  let value = lazy (incr count; 7) in
  ignore (Lazy.force value + Lazy.force value);
  assert (Lazy.is_val value);
  !count
