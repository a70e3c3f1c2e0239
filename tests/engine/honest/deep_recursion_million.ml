(* Recursion that is not a tail call, a million deep.
   signature:
     val depth : int -> int
     val sum_list : int list -> int
   tests:
     depth 1_000_000 = 1_000_000
     sum_list (List.init 300_000 (fun i -> i mod 3)) = 300_000
*)
let rec depth n = if n = 0 then 0 else 1 + depth (n - 1)
let rec sum_list = function [] -> 0 | x :: rest -> x + sum_list rest
