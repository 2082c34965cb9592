# Sourced by run and test, after `cd` to the root of the repository. Everything here prints to
# standard error only.
# shellcheck shell=bash

# One build at a time: whoever comes second waits, then finds the work done. The lock is held until
# build_unlock, and is never inherited by a program started after that.
build_lock() {
  if ! mkdir -p build || ! { : >>build/.lock; } 2>/dev/null; then
    echo "cannot write in $PWD/build; is the disk full, or the folder somebody else's?" >&2
    return 2
  fi
  exec 9>>build/.lock
  if command -v flock >/dev/null && ! flock -n 9; then
    echo "waiting for another build of this folder ..." >&2
    flock 9
  fi
}

build_unlock() { exec 9>&-; }

# Turns ninja's lines into one line of progress on a terminal, into a few lines elsewhere; keeps
# whatever else is printed for build_targets to show if the build fails.
build_progress() {
  awk -v label="$1" -v log_file="$2" -v terminal="$([[ -t 2 ]] && echo 1 || echo 0)" '
    /Re-checking globbed|Re-running CMake|no work to do/ { next }
    match($0, /^\[[0-9]+\/[0-9]+\] /) {
      split(substr($0, 2, RLENGTH - 3), part, "/")
      if (terminal) { printf "\r%s [%d/%d] ", label, part[1], part[2]; shown = 1 }
      else if (part[1] * 4 >= quarter * part[2]) {
        printf "%s [%d/%d]\n", label, part[1], part[2]
        quarter = int(part[1] * 4 / part[2]) + 1
      }
      fflush()
      next
    }
    { print > log_file }
    END { if (terminal && shown) printf "\r\033[K" }
  ' >&2
}

# build_targets PRESET TARGETS... : builds in build/PRESET.
build_targets() {
  local preset="$1" log="build/$1/build.log"
  shift
  : >"$log"
  if ! NINJA_STATUS="[%f/%t] " cmake --build "build/$preset" --parallel "$(nproc)" \
    --target "$@" 2>&1 9>&- | build_progress "building ($preset)" "$log"; then
    cat "$log" >&2
    if grep -q 'No space left on device' "$log"; then
      echo "the build failed: the disk is full; the next call goes on where it was" >&2
      return 2
    fi
    echo "the build failed; everything it said is above" >&2
    return 3
  fi
}

# build_configure PRESET OPTIONS... : says nothing unless it fails. What an earlier configuration left
# may be damaged, unreadable or another folder's: then once more from nothing.
build_configure() {
  local preset="$1" log="build/$1/configure.log"
  shift
  mkdir -p "build/$preset"
  if ! cmake --preset "$preset" "$@" >"$log" 2>&1 9>&- &&
    { [[ ! -e "build/$preset/CMakeCache.txt" ]] || ! rm -rf "build/$preset/CMakeCache.txt" \
      "build/$preset/CMakeFiles" || ! cmake --preset "$preset" "$@" >"$log" 2>&1 9>&-; }; then
    cat "$log" >&2
    echo "cmake could not configure build/$preset; the reason is above" >&2
    return 3
  fi
}

# build_has PARTS... : whether build/release was configured from here with these groups of packages.
build_has() {
  local part
  for part in "$@"; do
    [[ "$(cat "build/release/with-$part" 2>/dev/null)" == "$PWD" ]] || return 1
  done
}

build_mark() {
  local part
  for part in "$@"; do echo "$PWD" >"build/release/with-$part"; done
}
