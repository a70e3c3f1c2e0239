type tag = Ready | Value | Opaque | Raised | Exhausted | Refused | Shared | Missing | Done
type frame = { tag : tag; cpu_us : int; payload : string; leaves : string list }
type t = { frames : frame list; clean : bool }

let is_stack_overflow frame = frame.tag = Raised && frame.payload = "Stack overflow"

let tag_of_char = function
  | 'I' -> Some Ready
  | 'V' -> Some Value
  | 'U' -> Some Opaque
  | 'X' -> Some Raised
  | 'M' -> Some Exhausted
  | 'J' -> Some Refused
  | 'S' -> Some Shared
  | 'N' -> Some Missing
  | 'Z' -> Some Done
  | _ -> None

let leaf_tag = 'L'
let header = 9

let uint32 bytes at = Int32.to_int (String.get_int32_le bytes at) land 0xffffffff

let parse bytes =
  let size = String.length bytes in
  (* [leaves], the last one first, and their time belong to the next frame. *)
  let rec go at frames leaves leaves_us =
    if at = size then { frames = List.rev frames; clean = true }
    else
      let torn = { frames = List.rev frames; clean = false } in
      if size - at < header then torn
      else
        let length = uint32 bytes (at + 5) in
        if length > size - at - header then torn
        else
          let next = at + header + length and cpu_us = leaves_us + uint32 bytes (at + 1) in
          let payload = String.sub bytes (at + header) length in
          match tag_of_char bytes.[at] with
          | Some tag -> go next ({ tag; cpu_us; payload; leaves = List.rev leaves } :: frames) [] 0
          | None when bytes.[at] = leaf_tag -> go next frames (payload :: leaves) cpu_us
          | None -> torn
  in
  go 0 [] [] 0
