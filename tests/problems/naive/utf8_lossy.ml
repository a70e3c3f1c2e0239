(* appends each code point at the end *)
let replacement = 0xFFFD

let any = (0x80, 0xBF)

(* For a first byte: its bits, and the bounds of each following byte. *)
let first_byte = function
  | b when b <= 0x7F -> Some (b, [])
  | b when b < 0xC2 -> None
  | b when b <= 0xDF -> Some (b land 0x1F, [ any ])
  | 0xE0 -> Some (0, [ (0xA0, 0xBF); any ])
  | 0xED -> Some (0xD, [ (0x80, 0x9F); any ])
  | b when b <= 0xEF -> Some (b land 0xF, [ any; any ])
  | 0xF0 -> Some (0, [ (0x90, 0xBF); any; any ])
  | b when b <= 0xF3 -> Some (b land 7, [ any; any; any ])
  | 0xF4 -> Some (4, [ (0x80, 0x8F); any; any ])
  | _ -> None

let decode bytes =
  let fits i (low, high) = i < String.length bytes && low <= Char.code bytes.[i] && Char.code bytes.[i] <= high in
  let rec follow bits bounds i =
    match bounds with
    | [] -> (bits, i)
    | bound :: later when fits i bound -> follow ((bits lsl 6) lor (Char.code bytes.[i] land 0x3F)) later (i + 1)
    | _ -> (replacement, i)
  in
  let rec go points i =
    if i = String.length bytes then points
    else
      match first_byte (Char.code bytes.[i]) with
      | None -> go (points @ [replacement]) (i + 1)
      | Some (bits, bounds) ->
        let point, next = follow bits bounds (i + 1) in
        go (points @ [point]) next
  in
  go [] 0

let rec encode_point point =
  let byte b = String.make 1 (Char.chr b) in
  let following shift = byte (0x80 lor ((point lsr shift) land 0x3F)) in
  if point < 0 || (0xD800 <= point && point <= 0xDFFF) || point > 0x10FFFF then encode_point replacement
  else if point <= 0x7F then byte point
  else if point <= 0x7FF then byte (0xC0 lor (point lsr 6)) ^ following 0
  else if point <= 0xFFFF then byte (0xE0 lor (point lsr 12)) ^ following 6 ^ following 0
  else byte (0xF0 lor (point lsr 18)) ^ following 12 ^ following 6 ^ following 0

let encode points = String.concat "" (List.map encode_point points)
