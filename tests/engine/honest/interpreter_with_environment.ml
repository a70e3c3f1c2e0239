(* A small interpreter: parser, environment, errors as results, pretty errors; forty lines of ordinary code.
   signature:
     val run : string -> (int, string) result
   tests:
     run "1 2 + 3 *" = Ok 9
     run "4 dup *" = Ok 16
     run "1 +" = Error "stack underflow at +"
     run "1 2" = Error "2 values left"
     run "x" = Error "unknown word x"
*)
module Env = Map.Make (String)

type error = Underflow of string | Unknown of string | Left of int

let message = function
  | Underflow w -> Printf.sprintf "stack underflow at %s" w
  | Unknown w -> "unknown word " ^ w
  | Left n -> Printf.sprintf "%d values left" n

let binary name f = function a :: b :: rest -> Ok (f b a :: rest) | _ -> Error (Underflow name)

let words =
  Env.empty
  |> Env.add "+" (binary "+" ( + ))
  |> Env.add "-" (binary "-" ( - ))
  |> Env.add "*" (binary "*" ( * ))
  |> Env.add "dup" (function x :: rest -> Ok (x :: x :: rest) | [] -> Error (Underflow "dup"))

let step stack word =
  Result.bind stack (fun stack ->
      match int_of_string_opt word, Env.find_opt word words with
      | Some n, _ -> Ok (n :: stack)
      | None, Some f -> f stack
      | None, None -> Error (Unknown word))

let run source =
  String.split_on_char ' ' source
  |> List.fold_left step (Ok [])
  |> (function Ok [ x ] -> Ok x | Ok l -> Error (Left (List.length l)) | Error e -> Error e)
  |> Result.map_error message
