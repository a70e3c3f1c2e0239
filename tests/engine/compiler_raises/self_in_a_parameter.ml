(* A class of which the type of self has gone into its parameter.
   signature: val run : int -> int
   raises: line 304
   errors: 1 *)
class viewer app =
  object (self)
    method refresh : unit = app#redraw self
  end

class window app =
  let _ = new viewer app in
  viewer app

let run n = n
