(* The same through a functor whose result forgets a parameter.
   signature: val run : int -> int
   raises: List.iter2
   errors: 1 *)
module rec Use : sig
  val count : 'a Make(Key).t -> int
end = struct
  let count _ = 0
end

and Key : sig
  type 'a t
  type k
end = struct
  type 'a t
  type k
end

and Make : functor (K : sig type k end) -> sig
  type 'a t = 'a * K.k
end =
functor
  (K : sig
     type k
   end)
  ->
  struct
    type t = int
  end

let run n = n
