(* An object that inherits such a class after a method of its own.
   signature: val run : int -> int
   raises: typeclass.ml
   errors: 1 *)
class viewer app =
  object (self)
    method refresh : unit = app#redraw self
  end

let open_window app =
  let _ = new viewer app in
  object
    method title = "window"
    inherit viewer app
  end

let run n = n
