(* Uses Format's boxes, breaks and margins, to a string and to the terminal.
   signature:
     val paragraph : int -> string list -> string
   tests:
     paragraph 80 ["a"; "b"; "c"] = "a b c"
     paragraph 6 ["aaa"; "bbb"; "cc"] = "aaa\nbbb\ncc"
     paragraph 80 [] = ""
*)
let paragraph width words =
  let buffer = Buffer.create 80 in
  let ppf = Format.formatter_of_buffer buffer in
  Format.pp_set_margin ppf width;
  Format.fprintf ppf "@[<hov 0>%a@]"
    (Format.pp_print_list ~pp_sep:Format.pp_print_space Format.pp_print_string)
    words;
  Format.pp_print_flush ppf ();
  Format.printf "@[<v 2>words:@,%d of them@]@." (List.length words);
  Buffer.contents buffer
