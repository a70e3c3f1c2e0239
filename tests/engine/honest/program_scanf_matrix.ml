(* Reads a matrix with Scanf.scanf.
   kind: program
   stdin:
     2 3
     1 2 3
     4 5 6
   stdout:
     1 4
     2 5
     3 6
*)
let () =
  Scanf.scanf " %d %d" (fun rows columns ->
      let m = Array.init rows (fun _ -> Array.init columns (fun _ -> Scanf.scanf " %d" Fun.id)) in
      for j = 0 to columns - 1 do
        for i = 0 to rows - 1 do
          if i > 0 then print_char ' ';
          print_int m.(i).(j)
        done;
        print_newline ()
      done)
