(* Private and abstract types behind a signature of its own.
   signature:
     module Positive : sig
       type t = private int
       val make : int -> t option
     end
     type counter
     val start : counter
     val tick : counter -> counter
     val read : counter -> int
   tests:
     (match Positive.make 3 with Some p -> (p :> int) | None -> 0) = 3
     Positive.make (-1) = None
     read (tick (tick start)) = 2
*)
module Positive : sig
  type t = private int

  val make : int -> t option
end = struct
  type t = int

  let make n = if n > 0 then Some n else None
end

type counter = { ticks : int; log : string list }

let start = { ticks = 0; log = [] }
let tick c = { ticks = c.ticks + 1; log = "tick" :: c.log }
let read { ticks; _ } = ticks
