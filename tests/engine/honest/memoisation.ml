(* Memoises with a Hashtbl in a closure and with a recursive knot.
   signature:
     val fib : int -> int
     val paths : int -> int -> int
   tests:
     fib 80 = 23416728348467685
     paths 16 16 = 601080390
*)
let memo_rec f =
  let table = Hashtbl.create 97 in
  let rec go x =
    match Hashtbl.find table x with
    | y -> y
    | exception Not_found ->
      let y = f go x in
      Hashtbl.add table x y;
      y
  in
  go

let fib = memo_rec (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2))

let paths =
  let f = memo_rec (fun self (r, c) -> if r = 0 || c = 0 then 1 else self (r - 1, c) + self (r, c - 1)) in
  fun r c -> f (r, c)
