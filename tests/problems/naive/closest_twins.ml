(* searches the words before each word *)
let closest words =
  let rec find w i = function [] -> None | x :: _ when x = w -> Some i | _ :: r -> find w (i+1) r in
  let rec go j seen best = function
    | [] -> best
    | w :: r ->
      let best = match find w 1 seen, best with
        | None, b -> b | Some d, Some (_, i', j') when d >= j' - i' -> best | Some d, _ -> Some (w, j - d, j) in
      go (j+1) (w :: seen) best r in
  go 0 [] None words
let spaced ~gap words = match closest words with Some (_, i, j) -> j - i >= gap | None -> true
