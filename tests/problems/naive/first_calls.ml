(* walks from each person anew *)
(* Adds everybody who gets news from a person to a list, and the person in front of them. *)
let rec visit phones seen finished person =
  if seen.(person) then finished
  else begin
    seen.(person) <- true;
    person :: List.fold_left (visit phones seen) finished phones.(person)
  end

let reverse phones =
  let callers = Array.make (Array.length phones) [] in
  Array.iteri (fun person -> List.iter (fun callee -> callers.(callee) <- person :: callers.(callee))) phones;
  callers

(* All circles, each behind those that it gets news from. *)
let circles phones =
  let n = Array.length phones in
  let order = List.fold_left (visit phones (Array.make n false)) [] (List.init n Fun.id) in
  let gets_from person = List.sort compare (visit (reverse phones) (Array.make n false) [] person) in
  let reaches person = visit phones (Array.make n false) [] person in
  let circle person =
    let there = reaches person in
    List.filter (fun other -> List.mem other there) (gets_from person)
  in
  List.filter_map
    (fun person -> match circle person with first :: _ as all when first = person -> Some all | _ -> None)
    order

(* The circles with their waves. *)
let placed phones =
  let waves = Array.make (Array.length phones) None in
  let callers = reverse phones in
  let place circle =
    (* Those who call from within the circle have no wave yet. *)
    let before = List.filter_map (fun caller -> waves.(caller)) (List.concat_map (Array.get callers) circle) in
    let wave = List.fold_left (fun wave w -> max wave (w + 1)) 0 before in
    List.iter (fun person -> waves.(person) <- Some wave) circle;
    (wave, circle)
  in
  List.map place (circles phones)

let waves phones =
  let add (wave, circle) waves =
    match waves with
    | (w, this) :: later when w = wave -> (w, circle :: this) :: later
    | _ -> (wave, [circle]) :: waves
  in
  List.map snd (List.fold_right add (List.sort compare (placed phones)) [])

let sources phones =
  List.filter_map (fun (wave, circle) -> if wave = 0 then Some (List.hd circle) else None) (placed phones)

let first_calls phones = List.sort compare (sources phones)

let lines phones =
  match circles phones with
  | [_] -> 0
  | _ -> max (List.length (sources phones)) (List.length (sources (reverse phones)))
