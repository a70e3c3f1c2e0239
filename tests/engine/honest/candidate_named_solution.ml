(* Uses names that an engine might use itself: Solution, Tests, Main, result, hole, it.
   signature:
     val solution : int -> int
     val tests : int list
   tests:
     solution 1 = 2
     tests = [2]
*)
module Solution = struct let solve x = x + 1 end
module Tests = struct let run f = [ f 1 ] end
module Main = Solution

type result = Passed | Failed
type verdict = { result : result }

let hole = 0
let it = ()
let solution x = Main.solve x + hole
let tests = Tests.run solution
let check () = if { result = Passed }.result = Failed then it
