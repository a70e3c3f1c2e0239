let prefix = "'_weak"
let is_digit c = c >= '0' && c <= '9'

let renumber text =
  let size = String.length text in
  let out = Buffer.create size in
  let rec end_of_digits at = if at < size && is_digit text.[at] then end_of_digits (at + 1) else at in
  let rec copy at known =
    if at < size then
      let start = at + String.length prefix in
      if start < size && is_digit text.[start] && String.equal (String.sub text at (start - at)) prefix then (
        let stop = end_of_digits start in
        let written = String.sub text start (stop - start) in
        let number = Option.value (List.assoc_opt written known) ~default:(List.length known + 1) in
        Printf.bprintf out "%s%d" prefix number;
        copy stop (if List.mem_assoc written known then known else (written, number) :: known))
      else (
        Buffer.add_char out text.[at];
        copy (at + 1) known)
  in
  copy 0 [];
  Buffer.contents out
