# Configuration of the tests in this tree. Each test is a file whose RUN lines
# are bash commands; test/CMakeLists.txt says how they are started.

import os
import pathlib
import platform
import shutil
import subprocess
import sys

import lit.formats

config.name = "Heddle"
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "test")
# Under sanitizers only the unit tests run: every other test compiles programs
# of its own, which would have to be sanitized as well.
config.suffixes = [] if config.sanitizers else [
    ".c", ".cpp", ".ll", ".mlir", ".test",
]
# Sources of unit tests lie among the other tests.
config.excludes = [
    "Inputs", "unit", "fuzz", "LeakSuppressions.cpp", "FarPool.c", "FarReads.c",
] + [
    path.name
    for pattern in ("*Test.cpp", "*Instances.cpp")
    for path in pathlib.Path(__file__).parent.rglob(pattern)
]

# Seconds after which a test that hangs has failed; the long run has more cases.
# lit needs psutil for it.
lit_config.maxIndividualTestTime = 3600 if "HEDDLE_TEST_FULL" in os.environ else 600

binaries = os.path.join(config.build_root, "bin")
libraries = os.path.join(config.build_root, "lib")
plugin = os.path.join(libraries, "HeddlePlugin.so")
includes = "-I" + os.path.join(config.source_root, "include")
with_plugin = " -fplugin=" + plugin + " " + includes

# Transformed loops refer to the runtime weakly, and a weak reference takes no
# member out of an archive.
runtime = "-Wl,-u,heddle_site_begin,-u,heddle_site_end,-u,heddle_contexts_begin,-u,heddle_contexts_end " + os.path.join(libraries, "libheddle.a")

# Every name ends at a word boundary, so that no name hides a longer one.
for name, text in {
    "clang": config.c_compiler + with_plugin,
    "clangxx": config.cxx_compiler + with_plugin,
    "plain_clang": config.c_compiler + " " + includes,
    "plain_clangxx": config.cxx_compiler + " " + includes,
    "clang_binary": os.path.join(config.llvm_tools, "clang"),
    "clangxx_binary": os.path.join(config.llvm_tools, "clang++"),
    "gcc": "gcc " + includes,
    "gxx": "g++ " + includes,
    "fopenmp": "-fopenmp=libomp",
    "runtime": runtime,
    "far_runtime": os.path.join(libraries, "libheddle-far.a") + " " + runtime + " -luring",
    "plugin": plugin,
    "opt": os.path.join(config.llvm_tools, "opt")
    + " -load-pass-plugin="
    + os.path.join(libraries, "HeddlePasses.so"),
    "pull_opt": os.path.join(config.llvm_tools, "opt")
    + " -load-pass-plugin="
    + os.path.join(libraries, "HeddleVectorSparse.so"),
    "heddle_opt": os.path.join(binaries, "heddle-opt"),
    "mlir_plugin": os.path.join(libraries, "HeddleMLIR.so"),
    "mlir_opt": os.path.join(config.llvm_tools, "mlir-opt"),
    "mlir_translate": os.path.join(config.llvm_tools, "mlir-translate"),
    "fir_opt": os.path.join(config.llvm_tools, "fir-opt"),
    "heddle_clang": os.path.join(binaries, "heddle-clang"),
    "heddle_clangd": os.path.join(binaries, "heddle-clangd"),
    "heddle_clangxx": os.path.join(binaries, "heddle-clang++"),
    "heddle_flang": os.path.join(binaries, "heddle-flang"),
    "flang_binary": config.flang,
    "heddle": os.path.join(binaries, "heddle"),
    "host_processor": platform.machine(),
    "cmake": config.cmake,
    "ninja": config.ninja,
    "mpirun": os.path.join(config.test_source_root, "support", "mpirun")
    + " "
    + config.mpirun,
    "build_root": config.build_root,
    "source_root": config.source_root,
    "python": sys.executable,
    "fails": os.path.join(config.test_source_root, "support", "fails"),
}.items():
    config.substitutions.append((f"%{name}\\b", text))

# Tests of random programs and of many combinations of options try more of them
# with this set.
if "HEDDLE_TEST_FULL" in os.environ:
    config.environment["HEDDLE_TEST_FULL"] = os.environ["HEDDLE_TEST_FULL"]
    config.available_features.add("full")

# FileCheck, not, count, split-file and the llvm- tools.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment.get("PATH", "")]
)
# Facts about the host that tests measure stay out of the user's cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")

config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"

if os.path.exists(plugin):
    config.available_features.add("plugin")
if os.path.exists(os.path.join(binaries, "heddle-opt")):
    config.available_features.add("heddle-opt")
if config.bench:
    config.available_features.add("heddle-bench")
if config.flang:
    config.available_features.add("flang")
for tool in "mlir-opt", "mlir-translate", "fir-opt", "clangd", "clang-tidy":
    if os.path.exists(os.path.join(config.llvm_tools, tool)):
        config.available_features.add(tool)
if config.sanitizers:
    config.available_features.add("asan")
for tool in "ccache", "sccache", "ctags", "valgrind":
    if shutil.which(tool):
        config.available_features.add(tool)
for emulator in "qemu-aarch64", "qemu-riscv64":
    if shutil.which(emulator) and shutil.which("ld.lld", path=config.llvm_tools):
        config.available_features.add(emulator)
if platform.machine() == "x86_64":
    config.available_features.add("x86-64")
    if shutil.which("qemu-x86_64"):
        config.available_features.add("qemu-x86_64")
for version in range(13, 22):
    if other_clang := shutil.which(f"clang-{version}"):
        config.available_features.add("other-clang")
        config.substitutions.append((r"%other_clang\b", other_clang))
        break
if os.path.exists("/var/lib/dpkg/status"):
    config.available_features.add("debian")

# Network namespaces, if the user may create them.
if (
    os.geteuid() == 0
    and shutil.which("ip")
    and shutil.which("unshare")
    and subprocess.run(["unshare", "--net", "--mount", "--uts", "true"]).returncode == 0
):
    config.available_features.add("network-namespaces")

# Programs with more rights than their user, if the user may make them.
if (
    os.geteuid() == 0
    and shutil.which("setpriv")
    and shutil.which("setcap")
    and not os.statvfs(config.test_exec_root).f_flag & os.ST_NOSUID
    and subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "ls",
                        config.test_exec_root], capture_output=True).returncode == 0
):
    config.available_features.add("set-uid")

# Graphs as published, which are not part of the project: those in this folder.
real_graphs = os.environ.get(
    "HEDDLE_REAL_GRAPHS", os.path.join(config.source_root, "..", "shared", "data")
)
if os.path.exists(os.path.join(real_graphs, "wiki-Vote.txt.gz")):
    config.available_features.add("real-graphs")
    config.substitutions.append((r"%real_graphs\b", real_graphs))
