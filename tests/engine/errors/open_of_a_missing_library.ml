(* `open Core`, which is not there; what it would have brought follows from that.
   signature:
     val squares : int list -> int list
     val log : int -> int
   tests:
     squares [2] = [4]
     log 3 = 3
   error: unbound-module Core: not installed; Printf has printf
     - open Core
     + open Printf
*)
open Core

let squares l = List.map (fun x -> x * x) l

let log n =
  printf "n = %d\n" n;
  n
