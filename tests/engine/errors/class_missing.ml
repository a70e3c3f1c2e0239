(* A class that was not written is one item, whatever types come with it.
   signature:
     class counter : object method next : int end
     val twice : counter -> int
     val zero : int
   tests:
     twice (new counter) = 3
     zero = 0
   error: missing-item counter: it was called count
     - class count =
     + class counter =
*)
class count = object
  val mutable n = 0
  method next = n <- n + 1; n
end

let twice c = let first = c#next in first + c#next
let zero = 0
