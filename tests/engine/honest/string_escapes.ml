(* Every kind of string and character literal.
   signature:
     val lengths : int list
     val codes : int list
     val query : string
   tests:
     lengths = [3; 2; 4; 9; 1; 14]
     codes = [10; 92; 39; 65; 65; 34; 32]
     query = "select \"x\" from t where a = 'b\\n'"
*)
let lengths =
  List.map String.length
    [ "\n\t\\"; "\065\x42"; "\u{1F42B}"; {|a"b\n|}^{x||x}^{long|a|}b|long}; "\o101"; "one \
                                                                            two\
       three\ x" ]

let codes = List.map Char.code [ '\n'; '\\'; '\''; '\065'; '\x41'; '"'; ' ' ]
let query = {sql|select "x" from t where a = 'b\n'|sql}
