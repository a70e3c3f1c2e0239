(* Run-length encoding with a Buffer.
   signature:
     val encode : string -> string
     val decode : string -> string
   tests:
     encode "aaabcc" = "3a1b2c"
     encode "" = ""
     decode "3a1b2c" = "aaabcc"
     decode (encode "zzzzzzzzzzzzy") = "zzzzzzzzzzzzy"
*)
let encode s =
  let b = Buffer.create 16 in
  let n = String.length s in
  let rec go i =
    if i < n then begin
      let j = ref i in
      while !j < n && s.[!j] = s.[i] do incr j done;
      Buffer.add_string b (string_of_int (!j - i));
      Buffer.add_char b s.[i];
      go !j
    end
  in
  go 0;
  Buffer.contents b

let decode s =
  let b = Buffer.create 16 in
  let count = ref 0 in
  String.iter
    (function
      | '0' .. '9' as d -> count := (!count * 10) + (Char.code d - Char.code '0')
      | c -> Buffer.add_string b (String.make !count c); count := 0)
    s;
  Buffer.contents b
