type bytecode
type code = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t

external reify : code -> unit list array -> string option -> bytecode * (unit -> Obj.t) = "caml_reify_bytecode"

let closure code =
  snd (reify (Bigarray.Array1.init Bigarray.char Bigarray.c_layout (String.length code) (String.get code)) [| [] |] None)
