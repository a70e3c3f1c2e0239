(* below 5.2 *)
(* The function is applied at once to what stands before the omitted argument: to a box that is not there yet. *)
type (_, _) eq = Refl : ('a, 'a) eq
type ('a, 'b) box = Box of ('a, 'b) eq
let take (type a b) (n : a) (got : b option ref) ~(box : (a, b) box) =
  (match box with Box Refl -> got := Some n);
  fun ~omitted:() ~given:() -> ()
let conv (n : int) : string =
  let got = ref None in
  (try
     let rec f = (take n got) ~box ~given:() and box = Box (raise Exit) in
     f ~omitted:()
   with Exit -> ());
  Option.get !got
