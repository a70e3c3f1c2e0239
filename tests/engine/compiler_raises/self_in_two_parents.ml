(* An object that inherits such a class twice.
   signature: val run : int -> int
   raises: line 383
   errors: 1 *)
class viewer app =
  object (self)
    method refresh : unit = app self
  end

let open_window app =
  ignore (new viewer app);
  object
    inherit viewer app
    inherit viewer app
  end

let run n = n
