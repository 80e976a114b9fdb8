# Read by `start` and `test`: finds Python, the system's packages and the virtual environment. Changes nothing but
# .venv, and, as root on Debian and its relatives, the packages it says it installs.

say() { printf '%s\n' "$*" >&2; }

# What Qt loads, as "package soname". A package is missing when the loader does not know its soname.
QT_LIBRARIES='
libegl1 libEGL.so.1
libgl1 libGL.so.1
libxkbcommon0 libxkbcommon.so.0
libfontconfig1 libfontconfig.so.1
libdbus-1-3 libdbus-1.so.3
libglib2.0-0 libglib-2.0.so.0
'
X11_LIBRARIES='
libx11-xcb1 libX11-xcb.so.1
libxcb-cursor0 libxcb-cursor.so.0
libxcb-icccm4 libxcb-icccm.so.4
libxcb-image0 libxcb-image.so.0
libxcb-keysyms1 libxcb-keysyms.so.1
libxcb-randr0 libxcb-randr.so.0
libxcb-render-util0 libxcb-render-util.so.0
libxcb-shape0 libxcb-shape.so.0
libxcb-xkb1 libxcb-xkb.so.1
libxkbcommon-x11-0 libxkbcommon-x11.so.0
libwayland-cursor0 libwayland-cursor.so.0
libwayland-egl1 libwayland-egl.so.1
'

known_libraries() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true
}

missing_libraries() {
    known=$(known_libraries)
    [ -n "$known" ] || return 0 # not a system with ldconfig: Qt itself will say what it lacks
    printf '%s\n' "$@" | while read -r package soname; do
        [ -n "$package" ] || continue
        case "$known" in
        *"$soname "*) ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

has_font() { # a part of the font file's name
    for folder in /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
        "${XDG_DATA_HOME:-${HOME:-/nonexistent}/.local/share}/fonts"; do
        [ -d "$folder" ] && [ -n "$(find "$folder" -iname "*$1*.tt[fc]" -o -iname "*$1*.otf" -o -iname "*$1*.otc" 2>/dev/null | head -n 1)" ] && return 0
    done
    return 1
}

missing_fonts() {
    [ "$(uname -s)" = Linux ] || return 0
    has_font '' || printf 'fonts-dejavu-core '
    has_font cjk || has_font wqy || has_font han || printf 'fonts-noto-cjk '
    has_font emoji || printf 'fonts-noto-color-emoji '
}

missing_programs() { # "package program" lines
    printf '%s\n' "$@" | while read -r package program; do
        [ -n "$package" ] || continue
        command -v "$program" >/dev/null 2>&1 || printf '%s ' "$package"
    done
}

find_python() {
    for name in python3.11 python3.12 python3.13 python3 python; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

missing_python() {
    python=$(find_python) || {
        printf 'python3 python3-venv '
        return 0
    }
    # Debian keeps what makes virtual environments in a package of its own
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || printf 'python3-venv '
}

# install_packages NEEDED WANTED: as root installs both; otherwise names them, and stops when a needed one is missing.
install_packages() {
    needed=$1
    wanted=$2
    [ -n "$needed$wanted" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        [ -z "$needed" ] || say "These libraries seem to be missing (names as in Debian): $needed"
        return 0
    fi
    if [ "$(id -u)" = 0 ]; then
        say "Installing Debian packages: $needed$wanted"
        DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2
        # shellcheck disable=SC2086 # a list of names
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $needed $wanted >/dev/null </dev/null
        return 0
    fi
    if [ -n "$needed" ]; then
        say "Some packages of the system are missing. Install them with this line, then run this again:"
        say ""
        say "    sudo apt-get install --no-install-recommends $needed$wanted"
        exit 1
    fi
    say "For all characters and tests install: sudo apt-get install --no-install-recommends $wanted"
}

# make_environment EXTRA: .venv with the program and, for EXTRA=test, what the tests need. Quick when nothing changed.
make_environment() {
    extra=$1
    python=$(find_python) || {
        say "Python 3.11 or newer is needed and was not found."
        exit 1
    }
    if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' >/dev/null 2>&1; then
        say "Making the virtual environment .venv with $python"
        "$python" -m venv --clear .venv
    fi
    stamp=".venv/set-up${extra:+-$extra}"
    state=$(cksum pyproject.toml chat_archive/__init__.py)
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$state" ]; then
        say "Installing Chat Archive${extra:+ with what its $extra needs} into .venv"
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input -e ".${extra:+[$extra]}" >&2
        printf '%s' "$state" >"$stamp"
    fi
}
