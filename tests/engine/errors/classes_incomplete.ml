(* A class that leaves a method virtual, and an object made with an argument too few.
   signature:
     val area : float -> float
     val name : string
   tests:
     area 2. = 4.
     name = "square"
   error: class square: area stays virtual
     - method! name = "square"
     + method! name = "square" method area = side *. side
   error: type-clash area: the class takes a side
     - (new square)#area +. 0. *. side
     + (new square side)#area +. 0. *. side
   differs: a class that cannot be typed leaves nothing behind, and its uses count as cascades
*)
class virtual shape =
  object
    method name = "shape"
    method virtual area : float
  end

class square (side : float) =
  object
    inherit shape
    method! name = "square"
    method side = side
  end

let area side = (new square)#area +. 0. *. side
let name = "square"
