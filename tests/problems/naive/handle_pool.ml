(* looks through all free slots *)
type handle = { slot : int; generation : int }
type 'a t = { cells : 'a option array; generations : int array; mutable free : int list }

let create n = { cells = Array.make n None; generations = Array.make n 0; free = List.init n Fun.id }
let handle pool slot = { slot; generation = pool.generations.(slot) }

let insert pool x =
  match pool.free with
  | [] -> None
  | slot :: free ->
    pool.free <- free;
    pool.cells.(slot) <- Some x;
    Some (handle pool slot)

let find pool { slot; generation } =
  if slot < 0 || slot >= Array.length pool.cells || pool.generations.(slot) <> generation then None
  else pool.cells.(slot)

let remove pool handle =
  let found = find pool handle in
  if found <> None then begin
    pool.cells.(handle.slot) <- None;
    pool.generations.(handle.slot) <- handle.generation + 1;
    pool.free <- handle.slot :: List.filter (fun s -> s <> handle.slot) pool.free
  end;
  found

let objects pool =
  let add slot cell rest = match cell with None -> rest | Some x -> (handle pool slot, x) :: rest in
  List.fold_right2 add (List.init (Array.length pool.cells) Fun.id) (Array.to_list pool.cells) []

let clear pool = List.iter (fun (handle, _) -> ignore (remove pool handle)) (objects pool)
