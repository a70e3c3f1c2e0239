(* Bytes: in-place changes, blits, fills, conversions and integers of fixed width.
   signature:
     val caesar : int -> string -> string
     val reverse : string -> string
     val packed : int -> int list
   tests:
     caesar 3 "abc xyz" = "def abc"
     caesar (-3) (caesar 3 "hello") = "hello"
     reverse "abc" = "cba"
     packed 258 = [2; 1]
*)
let caesar k s =
  let b = Bytes.of_string s in
  Bytes.iteri
    (fun i c ->
       if c >= 'a' && c <= 'z' then
         Bytes.set b i (Char.chr (97 + (((Char.code c - 97 + k) mod 26) + 26) mod 26)))
    b;
  Bytes.to_string b

let reverse s =
  let n = String.length s in
  let b = Bytes.make n ' ' in
  String.iteri (fun i c -> Bytes.set b (n - 1 - i) c) s;
  Bytes.unsafe_to_string b

let packed n =
  let b = Bytes.create 2 in
  Bytes.set_uint16_le b 0 n;
  let copy = Bytes.make 4 '\000' in
  Bytes.blit b 0 copy 1 2;
  Bytes.fill copy 3 1 'z';
  [ Bytes.get_uint8 copy 1; Bytes.get_uint8 copy 2 ]
