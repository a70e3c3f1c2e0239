(* Two class types that mention each other; a method has another type.
   signature:
     class type subject = object method attach : observer -> unit end
     and observer = object method notify : subject -> int end
     val ask : observer -> subject -> int
   tests:
     ask (object method notify _ = 3 end) (object method attach _ = () end) = 3
   error: ill-typed-item observer: notify returns a string
     - method notify : subject -> string
     + method notify : subject -> int
*)
class type subject = object method attach : observer -> unit end
and observer = object method notify : subject -> string end

let ask (observer : observer) subject = observer#notify subject
