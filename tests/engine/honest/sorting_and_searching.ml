(* List's sorting, searching, zipping and folding functions, and Array's.
   signature:
     val merge_sort : ('a -> 'a -> int) -> 'a list -> 'a list
     val binary_search : int array -> int -> int option
     val group : ('a -> 'b) -> 'a list -> ('b * 'a list) list
   tests:
     merge_sort compare [3; 1; 2] = [1; 2; 3]
     merge_sort (fun a b -> compare b a) ["a"; "c"; "b"] = ["c"; "b"; "a"]
     binary_search [|1; 3; 5; 7|] 5 = Some 2
     binary_search [||] 5 = None
     group (fun x -> x mod 2) [1; 2; 3] = [(0, [2]); (1, [1; 3])]
*)
let rec merge_sort cmp = function
  | ([] | [ _ ]) as l -> l
  | l ->
    let left, right = List.partition snd (List.mapi (fun i x -> x, i mod 2 = 0) l) in
    let sorted half = merge_sort cmp (List.map fst half) in
    List.merge cmp (sorted left) (sorted right)

let binary_search a x =
  let rec go lo hi =
    if lo >= hi then None
    else
      let mid = (lo + hi) / 2 in
      if a.(mid) = x then Some mid else if a.(mid) < x then go (mid + 1) hi else go lo mid
  in
  go 0 (Array.length a)

let group key list =
  List.sort_uniq compare (List.map key list)
  |> List.map (fun k -> k, List.filter (fun x -> key x = k) list)

let () =
  assert (List.combine [ 1 ] [ 'a' ] = [ 1, 'a' ] && List.assoc_opt 1 [ 1, 'a' ] = Some 'a');
  assert (List.sort_uniq compare [ 2; 1; 2 ] = [ 1; 2 ] && List.find_opt (( < ) 3) [ 1; 5 ] = Some 5);
  assert (Array.to_list (Array.map succ [| 1; 2 |]) = [ 2; 3 ] && Array.exists (( = ) 2) [| 2 |])
