let rec read_exactly fd bytes at left =
  left = 0
  ||
  match Unix.read fd bytes at left with
  | 0 -> false
  | count -> read_exactly fd bytes (at + count) (left - count)
  | exception Unix.Unix_error (EINTR, _, _) -> read_exactly fd bytes at left

let rec write_all fd bytes at left =
  if left > 0 then
    match Unix.write fd bytes at left with
    | count -> write_all fd bytes (at + count) (left - count)
    | exception Unix.Unix_error (EINTR, _, _) -> write_all fd bytes at left

let receive fd =
  let head = Bytes.create 4 in
  if not (read_exactly fd head 0 4) then None
  else
    let length = Int32.to_int (Bytes.get_int32_le head 0) land 0xffffffff in
    let bytes = Bytes.create length in
    if read_exactly fd bytes 0 length then Some (Bytes.unsafe_to_string bytes) else None

(* What is sent is put together in one buffer, used again and again: requests are large enough for a new one each time to
   keep the collector busy. *)
let buffer = ref (Bytes.create 65536)

let with_room size =
  if Bytes.length !buffer < size then buffer := Bytes.create (2 * size);
  !buffer

let set_length bytes at length = Bytes.set_int32_le bytes at (Int32.of_int length)

let send fd text =
  let length = String.length text in
  let bytes = with_room (4 + length) in
  set_length bytes 0 length;
  Bytes.blit_string text 0 bytes 4 length;
  write_all fd bytes 0 (4 + length)

let send_parts fd parts =
  let total = List.fold_left (fun sum part -> sum + 4 + String.length part) 0 parts in
  let bytes = with_room (4 + total) in
  set_length bytes 0 total;
  let put at part =
    set_length bytes at (String.length part);
    Bytes.blit_string part 0 bytes (at + 4) (String.length part);
    at + 4 + String.length part
  in
  write_all fd bytes 0 (List.fold_left put 4 parts)
