(* A list of one tuple, so that its item and its use are both wrong for the one reason.
   signature:
     val primes : int list
     val total : int
   tests:
     primes = [2; 3; 5]
     total = 10
   error: ill-typed-item primes: commas make one tuple of the elements
     - [2, 3, 5]
     + [2; 3; 5]
   differs: the item and its use are two places, and nothing tells that one follows from the other
*)
let primes = [2, 3, 5]
let total = List.fold_left (+) 0 primes
