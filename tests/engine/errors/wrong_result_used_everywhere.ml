(* One broken function whose result everything else uses rightly.
   signature:
     val parse : string -> int list
     val total : string -> int
     val largest : string -> int
     val count : string -> int
   tests:
     parse "1,2" = [1; 2]
     total "1,2" = 3
     largest "1,2" = 2
     count "1,2" = 2
   error: unbound-value parse_int: it is int_of_string
     - List.map parse_int
     + List.map int_of_string
*)
let parse s = List.map parse_int (String.split_on_char ',' s)
let total s = List.fold_left (+) 0 (parse s)
let largest s = List.fold_left max min_int (parse s)
let count s = List.length (parse s)
let show s = String.concat ";" (List.map string_of_int (parse s))
