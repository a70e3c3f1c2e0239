(* What is being defined stands behind the omitted argument, and is only stored. *)
let take ~omitted ~given m = if omitted then given m else string_of_int m
let conv (n : int) : string =
  let rec late m = stored ~omitted:true m and stored = take ~given:(fun m -> if m = 0 then late n else string_of_int m) in
  let rec again = take ~given:again_given and again_given = fun m -> again ~omitted:false m in
  ignore (again ~omitted:true n);
  late n
