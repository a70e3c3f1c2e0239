(* Inline records, punning, nested update and wildcard fields.
   signature:
     type shape = Circle of { radius : float } | Rect of { width : float; height : float }
     val scale : float -> shape -> shape
     val area : shape -> float
   tests:
     scale 2.0 (Rect { width = 1.0; height = 3.0 }) = Rect { width = 2.0; height = 6.0 }
     area (Rect { width = 2.0; height = 3.0 }) = 6.0
*)
type shape = Circle of { radius : float } | Rect of { width : float; height : float }

let scale k = function
  | Circle c -> Circle { radius = k *. c.radius }
  | Rect ({ width; _ } as r) -> Rect { r with width = k *. width; height = k *. r.height }

let area = function
  | Circle { radius } -> Float.pi *. radius ** 2.
  | Rect { width; height } -> width *. height
