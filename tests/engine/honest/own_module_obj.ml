(* Has modules of its own that are named like withheld ones.
   signature:
     val area : int -> int -> int
     val cwd : string
   tests:
     area 3 4 = 12
     cwd = "/home"
*)
module Obj = struct
  type t = { width : int; height : int }

  let make width height = { width; height }
  let magic o = o.width * o.height
end

module Unix = struct
  let getcwd () = "/home"
  let system command = String.length command
end

module Sys = struct
  let command text = Unix.system text
  let time () = 0.0
end

let area w h = Obj.magic (Obj.make w h)
let cwd = if Sys.command "rm" = 2 && Sys.time () = 0.0 then Unix.getcwd () else ""
