(* Virtual classes, inheritance, overriding, super calls and coercions.
   signature:
     val total_area : float -> string list
   tests:
     total_area 2.0 = ["square 4.0"; "cube face 4.0 of 6"]
*)
class virtual shape (name : string) =
  object (self)
    method virtual area : float
    method name = name
    method describe = Printf.sprintf "%s %.1f" self#name self#area
    initializer if name = "" then invalid_arg "a shape needs a name"
  end

class square side =
  object
    inherit shape "square"
    val mutable side = side
    method area = side *. side
    method grow factor = side <- side *. factor
  end

class cube side =
  object
    inherit square side as super
    method! name = "cube face"
    method! describe = super#describe ^ " of 6"
    method volume = side ** 3.0
  end

let total_area side =
  let shapes = [ (new square side :> shape); (new cube side :> shape) ] in
  List.map (fun s -> s#describe) shapes
