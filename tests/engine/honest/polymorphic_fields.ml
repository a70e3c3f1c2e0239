(* Records with polymorphic fields and polymorphic methods.
   signature:
     val use : unit -> int * string
   tests:
     use () = (3, "x")
*)
type mapper = { map : 'a. 'a list -> 'a list }

let reverse = { map = List.rev }
let twice { map } l = map (map l)

class picker =
  object
    method first : 'a. 'a list -> 'a = List.hd
  end

let use () =
  let p = new picker in
  p#first (reverse.map [ 1; 2; 3 ]), p#first (twice reverse [ "x"; "y" ])
