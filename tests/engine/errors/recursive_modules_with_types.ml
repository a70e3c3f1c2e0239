(* The types of two modules mention each other; one lacks a constructor.
   signature:
     module rec Tree : sig type t = Leaf | Node of Forest.t end
     and Forest : sig type t = Empty | Trees of Tree.t * t end
     val plant : Tree.t -> Forest.t
   tests:
     plant Tree.Leaf = Forest.Trees (Tree.Leaf, Forest.Empty)
   error: ill-typed-item Tree: Leaf is missing
     - sig type t = Node of Forest.t end
     + sig type t = Leaf | Node of Forest.t end
*)
module rec Tree : sig type t = Node of Forest.t end = Tree
and Forest : sig type t = Empty | Trees of Tree.t * t end = Forest

let plant tree = Forest.Trees (tree, Forest.Empty)
