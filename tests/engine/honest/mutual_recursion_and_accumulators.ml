(* let rec ... and ..., inner helpers, continuation passing and function composition.
   signature:
     val is_even : int -> bool
     val is_odd : int -> bool
     val fact_cps : int -> int
     val hanoi : int -> int
   tests:
     is_even 100_000 = true
     is_odd 7 = true
     fact_cps 10 = 3_628_800
     hanoi 10 = 1023
*)
let rec is_even = function 0 -> true | n -> is_odd (n - 1)
and is_odd = function 0 -> false | n -> is_even (n - 1)

let fact_cps n =
  let rec go n k = if n <= 1 then k 1 else go (n - 1) (fun r -> k (n * r)) in
  go n Fun.id

let hanoi n =
  let moves = ref 0 in
  let rec move n a b c =
    if n > 0 then begin
      move (n - 1) a c b;
      incr moves;
      move (n - 1) c b a
    end
  in
  move n 'a' 'b' 'c';
  !moves
