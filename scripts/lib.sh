# Sourced by the other scripts, never run. POSIX sh.

say() { printf '==> %s\n' "$*"; }

# die MESSAGE: prints one message on standard error and exits with 1.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# quiet COMMAND...: runs a command, and shows the end of its output only if it fails.
quiet() {
    _log=$(mktemp)
    if "$@" >"$_log" 2>&1; then
        rm -f "$_log"
    else
        _status=$?
        tail -n 30 "$_log" >&2
        rm -f "$_log"
        return "$_status"
    fi
}

can_be_root() { [ "$(id -u)" = 0 ] || have sudo; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# apt_install PACKAGE...: installs without questions. Fetches package lists only if the first try fails: a new container
# has no lists, and other machines need not wait for them.
apt_install() {
    can_be_root || die "these packages are missing: $*. Run this as root or with sudo, or install them and run it again."
    say "apt-get install $*"
    set -- env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
    as_root "$@" >/dev/null 2>&1 && return
    quiet as_root apt-get -o DPkg::Lock::Timeout=300 update || say "apt-get update failed; trying with what is there"
    quiet as_root "$@" || die "apt-get could not install what is missing (its last lines are above)."
}

# torch_index PYTHON: prints arguments of pip for a torch without gigabytes of CUDA, if the machine has no GPU and
# PyTorch's index can be reached; otherwise nothing.
torch_index() {
    _index=https://download.pytorch.org/whl/cpu
    if [ "$(uname -s)" = Linux ] && ! have nvidia-smi &&
        "$1" -c "import urllib.request as u; u.urlopen('$_index/torch/', timeout=4)" 2>/dev/null; then
        echo "--index-url $_index --extra-index-url https://pypi.org/simple"
    fi
}
