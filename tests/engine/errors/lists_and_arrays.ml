(* Lists and arrays mixed up.
   signature:
     val sum : int array -> int
     val second : int list -> int
     val squares : int -> int list
   tests:
     sum [|1; 2|] = 3
     second [1; 2] = 2
     squares 2 = [0; 1]
   error: type-clash sum: List.fold_left over an array
     - List.fold_left (+) 0 (numbers : int array)
     + Array.fold_left (+) 0 (numbers : int array)
   error: type-clash second: array indexing of a list
     - list.(1)
     + List.nth list 1
   error: type-clash squares: an array where a list is declared
     - Array.init n (fun i -> i * i)
     + List.init n (fun i -> i * i)
*)
let sum numbers = List.fold_left (+) 0 (numbers : int array)
let second (list : int list) = list.(1)
let squares n : int list = Array.init n (fun i -> i * i)
