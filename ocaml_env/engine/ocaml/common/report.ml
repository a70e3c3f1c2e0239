type tag = Ready | Value | Opaque | Raised | Exhausted | Refused | Shared | Done
type frame = { tag : tag; cpu_us : int; payload : string }
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
  | 'Z' -> Some Done
  | _ -> None

let header = 9

let uint32 bytes at = Int32.to_int (String.get_int32_le bytes at) land 0xffffffff

let parse bytes =
  let size = String.length bytes in
  let rec go at frames =
    if at = size then { frames = List.rev frames; clean = true }
    else
      let torn = { frames = List.rev frames; clean = false } in
      if size - at < header then torn
      else
        match tag_of_char bytes.[at] with
        | None -> torn
        | Some tag ->
            let length = uint32 bytes (at + 5) in
            if length > size - at - header then torn
            else
              let frame = { tag; cpu_us = uint32 bytes (at + 1); payload = String.sub bytes (at + header) length } in
              go (at + header + length) (frame :: frames)
  in
  go 0 []
