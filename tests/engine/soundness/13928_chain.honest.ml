type meters = Meters of float [@@unboxed]
type height = { height : meters } [@@unboxed]
let conv (n : int) : string =
  let heights = Array.make 3 (lazy { height = Meters (float_of_int n) }) in
  match Lazy.force heights.(1) with { height = Meters m } -> string_of_int (int_of_float m)
