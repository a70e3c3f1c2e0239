(* Local opens in expressions, patterns and types, and let open.
   signature:
     val solve : int -> int -> int
   tests:
     solve 3 4 = 25
     solve 0 1 = 1
*)
module Vec = struct
  type t = { x : int; y : int }
  type kind = Zero | Other

  let make x y = { x; y }
  let ( * ) a b = (a.x * b.x) + (a.y * b.y)
  let kind { x; y } = if x = 0 && y = 0 then Zero else Other
end

let solve x y =
  let v = Vec.(make x y) in
  let w = Vec.{ x; y } in
  match Vec.kind v with
  | Vec.(Zero) -> 0
  | Other ->
    let open Vec in
    let Vec.{ x = wx; _ } = w in
    ignore List.[ wx ];
    v * w
