#!/bin/sh
# Runs tests that depend on the OCaml version (the engine's tests, the attacks, the bundled problems) with OCaml 5.3, in
# a Debian trixie in a folder. `make test-ocaml5` calls it.
#
#   scripts/test-ocaml5.sh [pytest arguments]
#
# The folder is .cache/trixie, or $OCAML5_ROOT. It is made once (about 1 GB, a minute or more) and kept. Delete it to
# start over. debootstrap and chroot need root.
set -eu

cd "$(dirname "$0")/.."
. scripts/lib.sh

ROOT=${OCAML5_ROOT:-$PWD/.cache/trixie}
READY=$ROOT/.ready
STARTED=$ROOT/.made-by-test-ocaml5
CHECKOUT=/root/checkout

[ "$(uname -s)" = Linux ] || die "this makes a Debian folder with debootstrap, which needs Linux."
[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root: run this as root or with sudo."

CERTIFICATES=/etc/ssl/certs/ca-certificates.crt

inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_CERT="$CERTIFICATES" PIP_ROOT_USER_ACTION=ignore \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} chroot "$ROOT" "$@"
}

# Mounts /proc if allowed. A container may lack the right to mount; the sandbox then works without /proc, too.
mount_proc() {
    mkdir -p "$ROOT/proc"
    if [ ! -e "$ROOT/proc/self" ] && mount -t proc proc "$ROOT/proc" 2>/dev/null; then
        trap 'umount "$ROOT/proc"' EXIT
        trap 'exit 130' INT TERM
    fi
}

make_root() {
    have debootstrap || apt_install debootstrap
    # Replace the rest of an interrupted run of this script, but delete nothing else.
    if [ -d "$ROOT" ] && [ -n "$(ls -A "$ROOT")" ] && [ ! -f "$STARTED" ]; then
        die "$ROOT is not empty and was not made by this script: name another folder in OCAML5_ROOT, or delete it."
    fi
    rm -rf "$ROOT"
    mkdir -p "$ROOT"
    touch "$STARTED"
    say "debootstrap trixie into $ROOT (about 1 GB, once)"
    quiet debootstrap --variant=minbase --include=ca-certificates trixie "$ROOT" ||
        die "debootstrap failed (its last lines are above); the whole log is in $ROOT/debootstrap."
    mount_proc
    # Not by --include: OCaml's packages depend on virtual packages; apt resolves these, and debootstrap does not.
    say "apt-get install OCaml and Python inside"
    quiet inside apt-get install -y --no-install-recommends ocaml-nox ocaml-findlib python3 python3-venv ||
        die "apt-get inside $ROOT failed (its last lines are above)."
    inside apt-get clean
    # The network may use certificates of its own; this machine has them.
    if [ -f "$CERTIFICATES" ]; then cp -L "$CERTIFICATES" "$ROOT$CERTIFICATES"; fi
    touch "$READY"
}

if [ -f "$READY" ]; then mount_proc; else make_root; fi

say "copying the checkout"
mkdir -p "$ROOT$CHECKOUT"
# Keep the virtual environment inside, so that a second run is quick.
find "$ROOT$CHECKOUT" -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -rf {} +
tar --exclude=./.git --exclude=./.venv --exclude=./.cache --exclude='*_cache' --exclude=__pycache__ -cf - . |
    tar -xf - -C "$ROOT$CHECKOUT" --no-same-owner

inside env EXTRAS=dev sh "$CHECKOUT/scripts/setup.sh" # these tests need no torch
[ $# -gt 0 ] || set -- tests/engine tests/benchmarks/test_exploits.py tests/problems/test_bundled.py
say "OCaml $(inside ocamlfind ocamlopt -version): pytest $*"
inside sh -c 'cd "$0" && exec .venv/bin/python -m pytest -n 2 "$@"' "$CHECKOUT" "$@"
