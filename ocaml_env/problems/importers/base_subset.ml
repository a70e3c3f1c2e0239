module Base = struct
  module List = struct
    include Stdlib.List
    let map l ~f = map f l
    let mapi l ~f = mapi f l
    let filter l ~f = filter f l
    let filter_map l ~f = filter_map f l
    let concat_map l ~f = concat_map f l
    let fold l ~init ~f = fold_left f init l
    let fold_left = fold
    let fold_right l ~f ~init = Stdlib.List.fold_right f l init
    let iter l ~f = iter f l
    let iteri l ~f = iteri f l
    let exists l ~f = exists f l
    let for_all l ~f = for_all f l
    let find l ~f = find_opt f l
    let find_exn l ~f = Stdlib.List.find f l
    let find_map l ~f = find_map f l
    let init n ~f = init n f
    let sort l ~compare = sort compare l
    let dedup_and_sort l ~compare = sort_uniq compare l
    let count l ~f = length (filter l ~f)
    let mem l x ~equal = Stdlib.List.exists (equal x) l
    let is_empty l = l = []
    let hd = function [] -> None | x :: _ -> Some x
    let hd_exn = Stdlib.List.hd
    let tl = function [] -> None | _ :: l -> Some l
    let tl_exn = Stdlib.List.tl
    let last l = match Stdlib.List.rev l with [] -> None | x :: _ -> Some x
    let nth = nth_opt
    let nth_exn = Stdlib.List.nth
    let reduce l ~f = match l with [] -> None | x :: l -> Some (Stdlib.List.fold_left f x l)
    let rec take l n = match l with x :: l when n > 0 -> x :: take l (n - 1) | _ -> []
    let rec drop l n = match l with _ :: l when n > 0 -> drop l (n - 1) | l -> l
    let range ?(stride = 1) ?(start = `inclusive) ?(stop = `exclusive) first last =
      let inside x =
        (x = last && stop = `inclusive) || if stride > 0 then x < last else x > last in
      let rec go acc x = if inside x then go (x :: acc) (x + stride) else rev acc in
      go [] (if start = `inclusive then first else first + stride)
    let zip_exn = combine
    let unzip = split
    let join = concat
    let equal equal a b = length a = length b && for_all2 equal a b
    let partition_tf l ~f = partition f l
  end
  module Array = struct
    include Stdlib.Array
    let map a ~f = map f a
    let mapi a ~f = mapi f a
    let iter a ~f = iter f a
    let iteri a ~f = iteri f a
    let fold a ~init ~f = fold_left f init a
    let init n ~f = init n f
    let for_all a ~f = for_all f a
    let exists a ~f = exists f a
    let create ~len x = make len x
    let is_empty a = a = [||]
  end
  module Char = struct
    include Stdlib.Char
    let to_int = code
    let of_int_exn = chr
    let of_int n = if n >= 0 && n < 256 then Some (chr n) else None
    let to_string = Stdlib.String.make 1
    let uppercase = uppercase_ascii
    let lowercase = lowercase_ascii
    let is_digit c = c >= '0' && c <= '9'
    let is_lowercase c = c >= 'a' && c <= 'z'
    let is_uppercase c = c >= 'A' && c <= 'Z'
    let is_alpha c = is_lowercase c || is_uppercase c
    let is_alphanum c = is_alpha c || is_digit c
    let is_whitespace c = c = ' ' || (c >= '\t' && c <= '\r')
    let get_digit_exn c = if is_digit c then code c - 48 else failwith "Char.get_digit_exn"
    let get_digit c = if is_digit c then Some (code c - 48) else None
  end
  module String = struct
    include Stdlib.String
    let concat ?(sep = "") l = concat sep l
    let of_char c = make 1 c
    let to_list s = Stdlib.List.init (length s) (get s)
    let to_array s = Stdlib.Array.init (length s) (get s)
    let of_char_list l = Stdlib.String.concat "" (Stdlib.List.map of_char l)
    let of_list = of_char_list
    let uppercase = uppercase_ascii
    let lowercase = lowercase_ascii
    let capitalize = capitalize_ascii
    let is_empty s = s = ""
    let rev s = Stdlib.String.init (length s) (fun i -> s.[length s - 1 - i])
    let strip = trim
    let split s ~on = split_on_char on s
    let split_lines s = split_on_char '\n' s
    let map s ~f = map f s
    let filter s ~f = of_char_list (Stdlib.List.filter f (to_list s))
    let fold s ~init ~f = Stdlib.List.fold_left f init (to_list s)
    let iter s ~f = iter f s
    let iteri s ~f = iteri f s
    let for_all s ~f = Stdlib.List.for_all f (to_list s)
    let exists s ~f = Stdlib.List.exists f (to_list s)
    let count s ~f = Stdlib.List.length (Stdlib.List.filter f (to_list s))
    let concat_map s ~f = Stdlib.String.concat "" (Stdlib.List.map f (to_list s))
    let init n ~f = init n f
    let contains s c = contains s c
    let mem = contains
    let prefix s n = sub s 0 (min n (length s))
    let drop_prefix s n = let n = min n (length s) in sub s n (length s - n)
    let is_prefix s ~prefix = length s >= length prefix && sub s 0 (length prefix) = prefix
    let is_suffix s ~suffix =
      let n = length suffix in
      length s >= n && sub s (length s - n) n = suffix
    let sub s ~pos ~len = sub s pos len
  end
  module Int = struct
    include Stdlib.Int
    let of_string = int_of_string
    let of_string_opt = int_of_string_opt
    let of_float = int_of_float
    let max : int -> int -> int = Stdlib.max
    let min : int -> int -> int = Stdlib.min
    let rec pow x n = if n <= 0 then 1 else x * pow x (n - 1)
    let max_value = max_int
    let min_value = min_int
    let is_positive n = n > 0
    let ( % ) a b = ((a mod b) + b) mod b
  end
  module Float = struct
    include Stdlib.Float
    let of_string = float_of_string
    let max : float -> float -> float = Stdlib.max
    let min : float -> float -> float = Stdlib.min
  end
  module Bool = Stdlib.Bool
  module Option = struct
    include Stdlib.Option
    let map o ~f = map f o
    let bind o ~f = bind o f
    let iter o ~f = iter f o
    let value o ~default = Stdlib.Option.value o ~default
    let value_exn o = get o
    let value_map o ~default ~f = match o with None -> default | Some x -> f x
    let some_if b x = if b then Some x else None
    let all l = if Stdlib.List.for_all is_some l then Some (Stdlib.List.map get l) else None
  end
  module Result = struct
    include Stdlib.Result
    let map r ~f = map f r
    let bind r ~f = bind r f
    let map_error r ~f = map_error f r
    let ok = to_option
  end
  module Fn = struct
    let id x = x
    let const x _ = x
    let compose f g x = f (g x)
    let non f x = not (f x)
  end
  module Poly = struct
    let equal a b = a = b
    let compare = Stdlib.compare
    let ( = ) = Stdlib.( = )
    let ( <> ) = Stdlib.( <> )
  end
  let ( % ) = Int.( % )

end
