(* Text that is not ASCII, in strings and comments: naïve café, 日本語, ∀x, 🐫.
   signature:
     val count_code_points : string -> int
     val greeting : string
   tests:
     count_code_points "caf\xc3\xa9" = 4
     String.length greeting = 19
*)

(* “Quotes”, — dashes — and « guillemets » *)
let count_code_points s =
  let n = ref 0 in
  String.iter (fun c -> if Char.code c land 0xC0 <> 0x80 then incr n) s;
  !n

let greeting = "héllo, 世界 🐫"
let () = print_endline greeting; assert (Uchar.to_int (Uchar.of_char 'a') = 97)
let () =
  let b = Buffer.create 4 in
  Buffer.add_utf_8_uchar b (Uchar.of_int 0x1F42B);
  assert (Buffer.length b = 4)
