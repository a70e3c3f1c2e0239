# Sourced by the scripts beside it, never run. POSIX sh.

say() { printf '==> %s\n' "$*"; }

# One clear message, on standard error, and no more.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# quiet COMMAND...: runs it and shows what it printed only when it fails.
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

# apt_install PACKAGE...: without questions. The lists are fetched only where the packages cannot be had without: a
# container has none, and a machine that has them need not wait.
apt_install() {
    can_be_root || die "these packages are missing: $*. Run this as root or with sudo, or install them and run it again."
    say "apt-get install $*"
    set -- env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
    as_root "$@" >/dev/null 2>&1 && return
    quiet as_root apt-get -o DPkg::Lock::Timeout=300 update || say "apt-get update failed; trying with what is there"
    quiet as_root "$@" || die "apt-get could not install what is missing (its last lines are above)."
}

# torch_index PYTHON: the arguments of pip that take torch without gigabytes of CUDA, where there is no GPU and its
# makers' index can be reached.
torch_index() {
    _index=https://download.pytorch.org/whl/cpu
    if [ "$(uname -s)" = Linux ] && ! have nvidia-smi &&
        "$1" -c "import urllib.request as u; u.urlopen('$_index/torch/', timeout=4)" 2>/dev/null; then
        echo "--index-url $_index --extra-index-url https://pypi.org/simple"
    fi
}
