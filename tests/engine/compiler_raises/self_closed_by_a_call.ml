(* An object that inherits a class whose parameter takes a closed object.
   signature: val run : int -> int
   raises: line 379
   errors: 1 *)
class viewer app =
  object (self)
    method refresh : unit = app self
  end

let open_window app =
  app
    (object
       method refresh = ()
    end);
  object
    inherit viewer app
  end

let run n = n
