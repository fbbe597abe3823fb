#!/bin/sh
# Installs the official DSH clients, pinned, into the repository's .tools
# folder, without the official runtime: the tests of this folder let them start
# accord-dsh instead.
#
#   setup.sh python|node|runtime
#
# It does nothing when the pinned versions are there already, may run several
# times at once (one waits for the other), and leaves nothing half-installed
# under the final name. Exit 0: ready, the folder is printed. Exit 3: Python or
# Node is not on this machine. Anything else: the installation failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tools=${ACCORD_TOOLS:-$root/.tools}
mkdir -p "$tools"

missing() {
	echo "setup.sh: $1 is not on this machine; install it, or run the other tests without it" >&2
	exit 3
}

# with_lock NAME COMMAND...: one at a time. flock where there is one; else the
# creation of a folder, which is atomic.
with_lock() {
	name=$1
	shift
	if command -v flock >/dev/null 2>&1; then
		exec 9>"$tools/.$name.lock"
		flock 9
		"$@"
	else
		until mkdir "$tools/.$name.lockdir" 2>/dev/null; do sleep 1; done
		trap 'rmdir "$tools/.$name.lockdir"' EXIT
		"$@"
	fi
}

# stamp FILES...: what the installation was made from.
stamp() { cat "$@" | cksum; }

python() {
	py=$(command -v python3) || missing python3
	"$py" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || missing "python3, version 3.10 or newer,"
	want="$(stamp "$here"/testdata/requirements*.txt) $("$py" -V)"
	if [ "$(cat "$tools/python/.stamp" 2>/dev/null)" != "$want" ]; then
		rm -rf "$tools/python"
		"$py" -m venv "$tools/python" >&2
		pip="$tools/python/bin/python -m pip --disable-pip-version-check install --quiet --no-deps"
		$pip -r "$here/testdata/requirements.txt" >&2
		$pip -r "$here/testdata/requirements-nodeps.txt" >&2
		$pip --target "$tools/python/sdk-0.1" -r "$here/testdata/requirements-0.1.txt" >&2
		echo "$want" >"$tools/python/.stamp"
	fi
	echo "$tools/python"
}

node() {
	command -v node >/dev/null || missing node
	command -v npm >/dev/null || missing npm
	want="$(stamp "$here/testdata/node/package.json" "$here/testdata/node/package-lock.json") $(command node --version)"
	if [ "$(cat "$tools/node/.stamp" 2>/dev/null)" != "$want" ]; then
		rm -rf "$tools/node"
		mkdir -p "$tools/node"
		cp "$here/testdata/node/package.json" "$here/testdata/node/package-lock.json" "$tools/node/"
		(cd "$tools/node" && npm ci --legacy-peer-deps --ignore-scripts --no-audit --no-fund --silent) >&2
		echo "$want" >"$tools/node/.stamp"
	fi
	echo "$tools/node"
}

# runtime installs the official runtime, one executable of some 95 MB, for the
# tests that drive it with our client. Only they need it.
runtime() {
	py=$(command -v python3) || missing python3
	want=$(stamp "$here/testdata/requirements-runtime.txt")
	if [ "$(cat "$tools/dsh/.stamp" 2>/dev/null)" != "$want" ]; then
		rm -rf "$tools/dsh"
		mkdir -p "$tools/dsh"
		"$py" -m pip --disable-pip-version-check install --quiet --no-deps --target "$tools/dsh" -r "$here/testdata/requirements-runtime.txt" >&2
		echo "$want" >"$tools/dsh/.stamp"
	fi
	echo "$tools/dsh"
}

case "${1:-}" in
python | node | runtime) with_lock "$1" "$1" ;;
*)
	echo "usage: setup.sh python|node|runtime" >&2
	exit 2
	;;
esac
