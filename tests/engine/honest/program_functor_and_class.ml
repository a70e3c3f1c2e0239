(* A program with a functor, a class and Queue, that simulates a printer.
   kind: program
   stdin:
     2
     report 3
     memo 1
   stdout:
     report: 3 pages
     memo: 1 page
     total 4
*)
module type PLURAL = sig val unit : string end

module Count (P : PLURAL) = struct
  let show n = Printf.sprintf "%d %s%s" n P.unit (if n = 1 then "" else "s")
end

module Pages = Count (struct let unit = "page" end)

class printer =
  object
    val jobs : (string * int) Queue.t = Queue.create ()
    method submit name pages = Queue.add (name, pages) jobs

    method run =
      let total = ref 0 in
      Queue.iter (fun (name, n) -> total := !total + n; Printf.printf "%s: %s\n" name (Pages.show n)) jobs;
      Queue.clear jobs;
      !total
  end

let () =
  let p = new printer in
  let n = int_of_string (read_line ()) in
  for _ = 1 to n do
    Scanf.sscanf (read_line ()) "%s %d" p#submit
  done;
  Printf.printf "total %d\n" p#run
