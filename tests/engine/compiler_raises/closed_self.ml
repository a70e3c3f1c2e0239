(* The type of self is closed by the argument of a class type.
   signature: val run : int -> int
   raises: line 393
   errors: 1 *)
class type ['self] viewed = object ('self) end
class type closed = [ < width : int > ] viewed

let run n = n
