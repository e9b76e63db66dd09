# Set-up shared by tools/quickstart and tools/check, which source this file: it
# installs the Debian packages that are missing, then configures and builds what
# has changed. All of its output goes to standard error, so that standard output
# is what the caller was asked for.

heddle_root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

heddle_build_packages=(
  clang-22 llvm-22-dev llvm-22-tools libclang-22-dev libomp-22-dev
  libmlir-22-dev mlir-22-tools flang-22
  ccache cmake ninja-build make g++ git python3 pkg-config
  libcli11-dev libfmt-dev libgtest-dev libigraph-dev liburing-dev libxxhash-dev
  libzstd-dev libopenmpi-dev zlib1g-dev
)
heddle_test_packages=(
  clang-19 clang-format-22 clang-tidy-22 clangd-22 libclang-rt-22-dev lld-22
  python3-psutil openmpi-bin iproute2 universal-ctags mkdocs qemu-user sccache
)

heddle_fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# heddle_missing_packages <package>...: prints those that are not installed.
# dpkg-query fails if it does not know one of them, which is no failure here.
heddle_missing_packages() {
  local installed package
  installed=" $(dpkg-query --show --showformat='${db:Status-Status}:${Package} ' \
    "$@" 2>/dev/null || true)"
  for package; do
    [[ $installed == *" installed:$package "* ]] || echo "$package"
  done
}

# heddle_install_packages <package>...: elsewhere than on Debian and its
# relatives, CMake says what it cannot find.
heddle_install_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing
  mapfile -t missing < <(heddle_missing_packages "$@")
  ((${#missing[@]})) || return 0
  local install=(apt-get install -y --no-install-recommends "${missing[@]}")
  ((EUID == 0)) || heddle_fail \
    "packages are missing; as root: apt-get update && ${install[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local apt_options=(-q -o DPkg::Lock::Timeout=300)
  apt-get "${apt_options[@]}" update >&2 &&
    apt-get "${apt_options[@]}" "${install[@]:1}" >&2 ||
    heddle_fail "could not install: ${missing[*]}" \
      "(LLVM 22 for Debian 12 is in bookworm-security)"
}

# heddle_configure <preset> <directory> [<cmake argument>...]: starts afresh
# where an earlier attempt was cut short or belongs to another place.
heddle_configure() {
  local preset=$1 directory=$heddle_root/$2 fresh=(--fresh)
  shift 2
  if [[ -f $directory/build.ninja ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$heddle_root" \
      "$directory/CMakeCache.txt"; then
    fresh=()
  fi
  (cd -- "$heddle_root" && cmake "${fresh[@]}" --preset "$preset" "$@") >&2 ||
    heddle_fail "configuring the preset $preset failed"
}

# heddle_build <directory> <target>...
heddle_build() {
  local directory=$heddle_root/$1
  shift
  cmake --build "$directory" --target "$@" >&2 ||
    heddle_fail "building $* in $directory failed"
}
