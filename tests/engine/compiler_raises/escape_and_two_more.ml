(* The same, beside two errors of other items and one that follows from the first.
   signature: type 'a box = Box of 'a  val singleton : 'a box -> 'a Seq.t  val twice : int -> int  val length : string -> int
   raises: Ctype.Escape
   errors: 3 *)
type 'a box = Box of 'a

let singleton (box : 'a box) : 'a Seq.t =
  let (Box x) = box in
  Seq.cons Seq.empty x

let first box = match (singleton box) () with Seq.Nil -> None | Seq.Cons (x, _) -> Some x
let twice n = n ^ n
let length s = String.size s
