#!/bin/sh
# Makes a checkout ready to run: OCaml, Python, .venv with pinned packages, the engine. `make setup` calls it.
#
# Finished steps are skipped, so a second run takes about a second. No step asks questions. OCaml comes from the PATH (the
# Makefile adds the current opam switch), else from apt, else from Homebrew.
set -eu

cd "$(dirname "$0")/.."
. scripts/lib.sh

VENV=.venv
EXTRAS=${EXTRAS:-dev,evaluate,server,train}
STAMP=$VENV/.installed

ensure_ocaml() {
    if have ocamlfind && have ocamlopt && have ocamlc; then
        return
    elif have apt-get; then
        apt_install ocaml-nox ocaml-findlib
    elif have brew; then
        say "brew install ocaml ocaml-findlib"
        quiet brew install ocaml ocaml-findlib || die "brew could not install OCaml (its last lines are above)."
    else
        die "OCaml was not found (ocamlfind, ocamlopt and ocamlc on the PATH), and there is neither apt-get nor brew to install it with. Install OCaml (4.13, 4.14, or 5.3 and newer) with findlib, for example 'opam switch create 5.3.0 && opam install ocamlfind', and run this again."
    fi
    have ocamlfind && have ocamlopt && have ocamlc || die "OCaml was installed, but ocamlfind, ocamlopt and ocamlc are not all on the PATH ($PATH)."
}

# ocamlopt links with a C compiler. Debian's OCaml depends on one; other installations may lack it.
ensure_c_compiler() {
    if have cc || have gcc; then
        return
    elif have apt-get; then
        apt_install gcc libc6-dev
    else
        die "no C compiler was found: install gcc or clang (on macOS: xcode-select --install) and run this again."
    fi
}

# Prints the first Python on the PATH from version 3.11 on; nothing if there is none.
find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 python3.14; do
        if have "$candidate" && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

ensure_venv() {
    if [ -f "$STAMP" ] && [ "$(sed -n 1p "$STAMP")" != "$PWD" ]; then
        say "$VENV was made for another folder: making it anew"
        rm -rf "$VENV"
    fi
    if [ -x "$VENV/bin/python" ] && "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
        return
    fi
    python=$(find_python)
    if [ -z "$python" ] && have apt-get; then
        apt_install python3 python3-venv
        python=$(find_python)
    fi
    [ -n "$python" ] || die "Python 3.11 or newer was not found on the PATH. Install it and run this again."
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        have apt-get || die "$python cannot make virtual environments (no ensurepip): install its venv package and run this again."
        apt_install "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    fi
    say "making $VENV with $("$python" --version)"
    rm -rf "$VENV"
    quiet "$python" -m venv "$VENV" || die "$python could not make $VENV (its last lines are above)."
}

# The stamp file has the folder, the extras, and a checksum of the files that determine the packages.
ensure_packages() {
    wanted=$(printf '%s\n' "$PWD" "$EXTRAS" "$(cat pyproject.toml constraints.txt scripts/setup.sh | cksum)")
    if [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$wanted" ]; then
        return
    fi
    say "installing the pinned packages of constraints.txt into $VENV"
    # The pinned build backend comes first and is used without isolation: an isolated build would fetch an unpinned one.
    pip_install hatchling editables
    # Torch comes before the packages that need it, in the right build: without a GPU a small one of 200 MB.
    case $EXTRAS in *train*) pip_install $(torch_index "$VENV/bin/python") torch ;; esac
    pip_install --no-build-isolation --editable ".[$EXTRAS]"
    printf '%s\n' "$wanted" >"$STAMP"
}

pip_install() {
    quiet "$VENV/bin/python" -m pip install --disable-pip-version-check --constraint constraints.txt "$@" ||
        die "pip could not install the packages (its last lines are above)."
}

ensure_engine() {
    "$VENV/bin/python" -m ocaml_env build || die "the engine was not built (the reason is above)."
}

ensure_ocaml
ensure_c_compiler
ensure_venv
ensure_packages
ensure_engine
