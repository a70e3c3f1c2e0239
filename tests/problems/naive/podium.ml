(* keeps what is dropped *)
module type RESULT = sig
  type t

  val compare : t -> t -> int
end

module Podium (R : RESULT) (P : sig val places : int end) = struct
  (* The best comes first. *)
  type t = { best : R.t list; dropped : int; all : R.t list }

  let empty = { best = []; dropped = 0; all = [] }

  let standings podium =
    let rank (ranked, position) r =
      let place =
        match ranked with
        | (place, previous) :: _ when R.compare previous r = 0 -> place
        | _ -> position
      in
      ((place, r) :: ranked, position + 1)
    in
    List.rev (fst (List.fold_left rank ([], 1) podium.best))

  let rec insert r = function
    | other :: rest when R.compare r other <= 0 -> other :: insert r rest
    | worse -> r :: worse

  let add r podium =
    let all = standings { podium with best = insert r podium.best } in
    let kept = List.filter (fun (place, _) -> place <= P.places) all in
    { best = List.map snd kept; dropped = podium.dropped + List.length all - List.length kept; all = r :: podium.all }

  let qualifies r podium =
    List.length (List.filter (fun other -> R.compare other r > 0) podium.best) < P.places

  let merge a b =
    let podium = List.fold_left (fun podium r -> add r podium) a b.best in
    { podium with dropped = podium.dropped + b.dropped }

  let dropped podium = podium.dropped
end
