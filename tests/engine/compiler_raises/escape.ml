(* An element is put before a sequence in the wrong order, and its type escapes through the type of sequences.
   signature: type 'a box = Box of 'a  val singleton : 'a box -> 'a Seq.t
   raises: Ctype.Escape
   errors: 1 *)
type 'a box = Box of 'a

let singleton (box : 'a box) : 'a Seq.t =
  let (Box x) = box in
  Seq.cons Seq.empty x
