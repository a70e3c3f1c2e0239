let is_digit c = c >= '0' && c <= '9'

(* Types that share a name have numbers of their own, [t/2], which are as small as they are few. *)
let digits_of_a_stamp = 3

let starts = [ ("'_weak", 1); ("/", digits_of_a_stamp) ]

let hide text =
  let size = String.length text in
  let out = Buffer.create size in
  let rec end_of_digits at = if at < size && is_digit text.[at] then end_of_digits (at + 1) else at in
  let number_at at (prefix, least) =
    let start = at + String.length prefix in
    if start < size && String.equal (String.sub text at (start - at)) prefix then
      let stop = end_of_digits start in
      if stop - start >= least then Some (prefix, String.sub text start (stop - start), stop) else None
    else None
  in
  let rec copy at known =
    if at < size then
      match List.find_map (number_at at) starts with
      | Some (prefix, written, stop) ->
          let before = Option.value (List.assoc_opt prefix known) ~default:[] in
          let seen = if List.mem written before then before else before @ [ written ] in
          let rec place n = function [] -> n | first :: rest -> if first = written then n else place (n + 1) rest in
          Printf.bprintf out "%s%d" prefix (place 1 seen);
          copy stop ((prefix, seen) :: List.remove_assoc prefix known)
      | None ->
          Buffer.add_char out text.[at];
          copy (at + 1) known
  in
  copy 0 [];
  Buffer.contents out
