(* A type uses a variable that it does not declare: one error.
   signature:
     val top : int list -> int option
   tests:
     top [1] = Some 1
     top [] = None
   error: type-expression 'a: the parameter is missing
     - type stack = Empty | Push of 'a * stack
     + type 'a stack = Empty | Push of 'a * 'a stack
*)
type stack = Empty | Push of 'a * stack

let top list =
  match List.fold_right (fun x below -> Push (x, below)) list Empty with Empty -> None | Push (x, _) -> Some x
