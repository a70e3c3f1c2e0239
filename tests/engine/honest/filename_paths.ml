(* The pure part of Filename.
   signature:
     val rename : string -> string -> string
     val parts : string -> string list
   tests:
     rename "src/main.ml" "mli" = "src/main.mli"
     parts "a/b/c.txt" = ["a/b"; "c.txt"; "a/b/c"; ".txt"]
*)
let rename path extension =
  let base = Filename.remove_extension (Filename.basename path) in
  Filename.concat (Filename.dirname path) (base ^ "." ^ extension)

let parts path =
  assert (not (Filename.is_relative "/x"));
  assert (Filename.check_suffix path (Filename.extension path));
  [ Filename.dirname path; Filename.basename path; Filename.chop_extension path; Filename.extension path ]
