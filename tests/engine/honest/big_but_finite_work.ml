(* Some tens of milliseconds of honest work.
   signature:
     val count_primes : int -> int
   tests:
     count_primes 100_000 = 9592
     count_primes 10 = 4
*)
let count_primes n =
  let is_prime k =
    let rec go d = d * d > k || (k mod d <> 0 && go (d + 2)) in
    k = 2 || (k > 2 && k mod 2 = 1 && go 3)
  in
  let count = ref 0 in
  for k = 2 to n do if is_prime k then incr count done;
  !count
