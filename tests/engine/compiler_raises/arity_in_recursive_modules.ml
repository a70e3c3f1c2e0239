(* Two modules that use each other, and one of them forgets a parameter.
   signature: val run : int -> int
   raises: List.iter2
   errors: 1 *)
module rec Tree : sig
  val size : 'a Forest.t -> int
end = struct
  let size _ = 0
end

and Forest : sig
  type +'a t
end = struct
  type t = Empty
end

let run n = n
