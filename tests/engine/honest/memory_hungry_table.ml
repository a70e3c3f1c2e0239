(* Some tens of megabytes of honest memory.
   signature:
     val lcs : string -> string -> int
     val fill : int -> int
   tests:
     lcs "abcbdab" "bdcaba" = 4
     fill 1_000_000 = 1_000_000
*)
let lcs a b =
  let m = Array.make_matrix 1001 1001 0 in
  String.iteri
    (fun i x ->
       String.iteri
         (fun j y -> m.(i + 1).(j + 1) <- (if x = y then m.(i).(j) + 1 else max m.(i).(j + 1) m.(i + 1).(j)))
         b)
    a;
  m.(String.length a).(String.length b)

let fill n = Array.length (Array.make n 0.0) + String.length (String.make n 'x') - n
