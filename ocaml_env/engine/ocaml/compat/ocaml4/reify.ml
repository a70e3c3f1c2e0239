type bytecode

external reify : bytes array -> unit list array -> string option -> bytecode * (unit -> Obj.t) = "caml_reify_bytecode"

let closure code = snd (reify [| Bytes.unsafe_of_string code |] [| [] |] None)
