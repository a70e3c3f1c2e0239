(* Two recursive functions without rec.
   signature:
     val size : 'a list -> int
     val repeat : int -> 'a -> 'a list
     val both : int -> int
   tests:
     size [1; 2] = 2
     repeat 2 'x' = ['x'; 'x']
     both 3 = 3
   error: unbound-value size: let rec is missing
     - let size l
     + let rec size l
   error: unbound-value repeat: let rec is missing
     - let repeat n x
     + let rec repeat n x
*)
let size l =
  match l with
  | [] -> 0
  | _ :: rest -> 1 + size rest

let repeat n x = if n = 0 then [] else x :: repeat (n - 1) x

let both n = size (repeat n ())
