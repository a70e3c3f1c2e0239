(* The second of two types that mention each other was forgotten.
   signature:
     type forest = tree list
     and tree = Node of int * forest
     val size : forest -> int
   tests:
     size [Node (1, [Node (2, [])])] = 1
   error: missing-item tree: only used, never defined
     - type forest = tree list
     + type forest = tree list and tree = Node of int * forest
*)
type forest = tree list

let size forest = List.length forest
