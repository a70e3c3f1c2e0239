type t = { bytes : string; at : int }

exception Malformed

type node =
  | Int of int
  | Block of { tag : int; size : int }  (** its fields follow *)
  | Text of { from : int; length : int }
  | Float of float
  | Floats of { from : int; count : int }
  | Boxed of char * int64

(* --- writing --- *)

let written kind number =
  let bytes = Bytes.create 9 in
  Bytes.set bytes 0 kind;
  Bytes.set_int64_le bytes 1 number;
  { bytes = Bytes.unsafe_to_string bytes; at = 0 }

let of_int n = written 'i' (Int64.of_int n)
let of_float x = written 'd' (Int64.bits_of_float x)
let of_char_code kind number = written kind number

let of_string text =
  let head = written 's' (Int64.of_int (String.length text)) in
  { head with bytes = head.bytes ^ text }

(* --- reading --- *)

let number bytes at = try String.get_int64_le bytes at with Invalid_argument _ -> raise Malformed

(* The node at a place, and where the next one begins. *)
let node bytes at =
  if at >= String.length bytes then raise Malformed;
  let value = number bytes (at + 1) and next = at + 9 in
  let counted width =
    let count = Int64.to_int value in
    if count < 0 || count > (String.length bytes - next) / width then raise Malformed;
    count
  in
  match bytes.[at] with
  | 'i' -> (Int (Int64.to_int value), next)
  | 'b' ->
      let size = Int64.to_int (Int64.shift_right_logical value 8) in
      if size > String.length bytes then raise Malformed;
      (Block { tag = Int64.to_int value land 255; size }, next)
  | 's' ->
      let length = counted 1 in
      (Text { from = next; length }, next + length)
  | 'd' -> (Float (Int64.float_of_bits value), next)
  | 'D' ->
      let count = counted 8 in
      (Floats { from = next; count }, next + (8 * count))
  | ('l' | 'L' | 'N') as kind -> (Boxed (kind, value), next)
  | _ -> raise Malformed

let nth_float bytes from i = Int64.float_of_bits (number bytes (from + (8 * i)))
let to_int t = match node t.bytes t.at with Int n, _ -> n | _ -> raise Malformed
let to_float t = match node t.bytes t.at with Float x, _ -> x | _ -> raise Malformed

(* Where the value at a place ends. *)
let rec skip bytes at values =
  if values = 0 then at
  else
    match node bytes at with
    | Block { size; _ }, next -> skip bytes next (values - 1 + size)
    | _, next -> skip bytes next (values - 1)

let fields ~tag t =
  match node t.bytes t.at with
  | Block block, first when block.tag = tag ->
      let at = ref first in
      let field _ =
        let field = { t with at = !at } in
        at := skip t.bytes !at 1;
        field
      in
      Some (Array.init block.size field)
  | _ -> None

let floats t =
  match node t.bytes t.at with
  | Floats { from; count }, _ -> Some (Array.init count (nth_float t.bytes from))
  | _ -> None

(* --- comparing: the first difference between the two walks decides --- *)

type comparison = Ordered of int | Unordered

(* Tags of the runtime, by which it orders blocks of different kinds. *)
let tag_of = function
  | Int _ -> -1
  | Block { tag; _ } -> tag
  | Text _ -> 252
  | Float _ -> 253
  | Floats _ -> 254
  | Boxed _ -> 255

let compare_floats ~total (x : float) (y : float) =
  if total then Ordered (Stdlib.compare x y)
  else if x < y then Ordered (-1)
  else if x > y then Ordered 1
  else if x = y then Ordered 0
  else Unordered

let compare_nodes ~total a b = function
  | Int n, Int m -> Ordered (Int.compare n m)
  | Block x, Block y when x.tag = y.tag -> Ordered (Int.compare x.size y.size)
  | Text x, Text y -> Ordered (String.compare (String.sub a.bytes x.from x.length) (String.sub b.bytes y.from y.length))
  | Float x, Float y -> compare_floats ~total x y
  | Floats x, Floats y when x.count = y.count ->
      let rec go i =
        if i = x.count then Ordered 0
        else
          match compare_floats ~total (nth_float a.bytes x.from i) (nth_float b.bytes y.from i) with
          | Ordered 0 -> go (i + 1)
          | difference -> difference
      in
      go 0
  | Floats x, Floats y -> Ordered (Int.compare x.count y.count)
  | Boxed (k, n), Boxed (l, m) -> Ordered (if k = l then Int64.compare n m else Char.compare k l)
  | x, y -> Ordered (Int.compare (tag_of x) (tag_of y))

let compare_values ~total a b =
  let rec go i j values =
    if values = 0 then Ordered 0
    else
      let x, i = node a.bytes i and y, j = node b.bytes j in
      match compare_nodes ~total a b (x, y) with
      | Ordered 0 -> go i j (values - 1 + match x with Block { size; _ } -> size | _ -> 0)
      | difference -> difference
  in
  go a.at b.at 1

let equal a b = compare_values ~total:false a b = Ordered 0
let order a b = match compare_values ~total:false a b with Ordered n -> Some n | Unordered -> None
let compare a b = match compare_values ~total:true a b with Ordered n -> n | Unordered -> raise Malformed

(* --- reports --- *)

type outcome =
  | Returned of t
  | Raised of { which : int; text : string; arguments : t }
  | Unreadable of string

let whole bytes at = if skip bytes at 1 = String.length bytes then { bytes; at } else raise Malformed

let atom bytes =
  let index = Int64.to_int (number bytes 1) in
  match bytes.[0] with
  | 'v' -> (index, Returned (whole bytes 9))
  | 'u' -> (index, Unreadable (String.sub bytes 9 (String.length bytes - 9)))
  | 'x' -> (
      match node bytes 9 with
      | Int which, at -> (
          match node bytes at with
          | Text { from; length }, at ->
              (index, Raised { which; text = String.sub bytes from length; arguments = whole bytes at })
          | _ -> raise Malformed)
      | _ -> raise Malformed)
  | _ -> raise Malformed
