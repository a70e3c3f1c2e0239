(* Module aliases that lead through each other are hidden one after another.
   signature: val run : int -> int
   raises: index out of bounds
   errors: 1 *)
module Outer = (((struct
  module Words = struct
    let hello = "hello"
  end

  module A = Words
  module B = A
  module C = B
end : sig
  module A : sig
    val hello : string
  end

  module B = A
  module C = B
end) : sig
  module B : sig
    val hello : string
  end

  module C = B
end) : sig
  module C : sig
    val hello : string
  end
end)

let run n = n
