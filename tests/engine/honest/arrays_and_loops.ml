(* Imperative code: a sieve, for down, while, nested loops, matrices and sorting.
   signature:
     val primes_below : int -> int list
     val transpose : int array array -> int array array
     val bubble_sort : int array -> unit
   tests:
     primes_below 20 = [2; 3; 5; 7; 11; 13; 17; 19]
     transpose [|[|1; 2|]; [|3; 4|]; [|5; 6|]|] = [|[|1; 3; 5|]; [|2; 4; 6|]|]
     (let a = [|3; 1; 2|] in bubble_sort a; a) = [|1; 2; 3|]
*)
let primes_below n =
  let composite = Array.make (max n 2) false in
  let result = ref [] in
  for i = 2 to n - 1 do
    if not composite.(i) then begin
      let j = ref (i * i) in
      while !j < n do
        composite.(!j) <- true;
        j := !j + i
      done
    end
  done;
  for i = n - 1 downto 2 do
    if not composite.(i) then result := i :: !result
  done;
  !result

let transpose m =
  let rows = Array.length m in
  if rows = 0 then [||] else Array.init (Array.length m.(0)) (fun j -> Array.init rows (fun i -> m.(i).(j)))

let bubble_sort a =
  let swapped = ref true in
  while !swapped do
    swapped := false;
    for i = 0 to Array.length a - 2 do
      if a.(i) > a.(i + 1) then begin
        let t = a.(i) in
        Array.set a i (Array.get a (i + 1));
        a.(i + 1) <- t;
        swapped := true
      end
    done
  done
