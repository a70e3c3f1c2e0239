(* Misspelt fields: one in an access, one in a construction, one in a pattern.
   signature:
     type point = { x : float; y : float }
     val norm : point -> float
     val origin : point
     val height : point -> float
   tests:
     norm { x = 3.; y = 4. } = 5.
     origin.x = 0.
     height origin = 0.
   error: unbound-field xx: the field is x
     - p.xx *. p.xx
     + p.x *. p.x
   error: unbound-field z: a point has only x and y
     - { x = 0.; y = 0.; z = 0. }
     + { x = 0.; y = 0. }
   error: unbound-field vertical: the field is y
     - { vertical; _ } = vertical
     + { y; _ } = y
*)
type point = { x : float; y : float }

let norm (p : point) = sqrt (p.xx *. p.xx +. p.y *. p.y)
let origin = { x = 0.; y = 0.; z = 0. }
let height { vertical; _ } = vertical
