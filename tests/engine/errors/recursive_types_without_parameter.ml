(* One of two types that mention each other lacks its parameter.
   signature:
     type 'a tree = Leaf | Branch of 'a node
     and 'a node = { value : 'a; left : 'a tree; right : 'a tree }
     val size : 'a tree -> int
   tests:
     size (Branch { value = 1; left = Leaf; right = Leaf }) = 1
   error: ill-typed-item node: it has no parameter
     - and node = { value : int
     + and 'a node = { value : 'a
     - left : int tree; right : int tree
     + left : 'a tree; right : 'a tree
     - Branch of node
     + Branch of 'a node
*)
type 'a tree = Leaf | Branch of node
and node = { value : int; left : int tree; right : int tree }

let rec size = function Leaf -> 0 | Branch { left; right; _ } -> 1 + size left + size right
