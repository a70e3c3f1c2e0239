(* MD5 through Digest, of strings only.
   signature:
     val checksum : string -> string
     val same : string -> string -> bool
   tests:
     checksum "" = "d41d8cd98f00b204e9800998ecf8427e"
     checksum "hello" = "5d41402abc4b2a76b9719d911017c592"
     same "a" "a" = true
*)
let checksum s = Digest.to_hex (Digest.string s)
let same a b = Digest.equal (Digest.bytes (Bytes.of_string a)) (Digest.substring b 0 (String.length b))
