(* Bigarrays of one and two dimensions, with their own indexing.
   signature:
     val trace : int -> float
     val prefix_sums : int list -> int list
   tests:
     trace 3 = 6.0
     prefix_sums [1; 2; 3] = [1; 3; 6]
*)
open Bigarray

let trace n =
  let m = Array2.create float64 c_layout n n in
  Array2.fill m 0.0;
  for i = 0 to n - 1 do m.{i, i} <- float_of_int (i + 1) done;
  let sum = ref 0.0 in
  for i = 0 to n - 1 do sum := !sum +. m.{i, i} done;
  !sum

let prefix_sums l =
  let a = Array1.of_array int c_layout (Array.of_list l) in
  for i = 1 to Array1.dim a - 1 do a.{i} <- a.{i} + a.{i - 1} done;
  List.init (Array1.dim a) (fun i -> a.{i})
