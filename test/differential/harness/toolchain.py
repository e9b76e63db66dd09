"""How a program is compiled: as the reference, and as versions under test."""

import os
import shutil
from dataclasses import dataclass

SUPPORT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(SUPPORT)), "include")

COMPILE_SECONDS = 120
RUN_SECONDS = 20
SANITIZED_RUN_SECONDS = 90
FAR_RUN_SECONDS = 300


@dataclass(frozen=True)
class Configuration:
    """One way to compile the version under test."""

    flags: tuple  # such as -O2
    sanitizers: str = ""
    runtime: str = "tuner"  # or "fickle", see Inputs/fickle.c, or "none"

    def __str__(self):
        return " ".join(self.flags) + f" and runtime: {self.runtime}"


@dataclass(frozen=True)
class Setting:
    """One way to run it."""

    threads: int
    tune: str  # HEDDLE_TUNE; empty for the default
    stack_kib: int = 0  # of each thread; 0 for the default

    def environment(self):
        # Far memory: so small a cache that pages come and go.
        settings = {"OMP_NUM_THREADS": str(self.threads), "HEDDLE_FAR_CACHE": "1M"}
        if self.tune:
            settings["HEDDLE_TUNE"] = self.tune
        if self.stack_kib:
            settings["OMP_STACKSIZE"] = f"{self.stack_kib}K"
        return settings

    def command(self, executable):
        if not self.stack_kib:
            return [executable]
        return ["sh", "-c", f'ulimit -s {self.stack_kib} && exec "$0"', executable]

    def __str__(self):
        words = [f"{name}={text}" for name, text in self.environment().items()]
        if self.stack_kib:
            words.append(f"and stacks of {self.stack_kib} KiB")
        return " ".join(words)


# libomp is not instrumented: Archer tells ThreadSanitizer how it synchronises.
ARCHER = "libarcher.so"
SANITIZER_ENVIRONMENT = {
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
}


class Toolchain:
    def __init__(self, processes, compiler, plugin, runtime):
        self.processes = processes
        self.compiler = compiler  # list of words
        self.plugin = plugin
        self.runtimes = {"tuner": runtime, "fickle": [], "none": []}  # words for the link
        self.linker = []
        self.archer = ""

    def choose_linker(self, directory):
        """Takes the fast linker where there is one."""
        words = " ".join(self.compiler)
        if not self.compiler or not shutil.which(self.compiler[0]):
            raise SystemExit(f"error: '{words}' is not a command")
        empty = os.path.join(directory, "empty.c")
        with open(empty, "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        for linker in (["-fuse-ld=lld"], []):
            program = os.path.join(directory, "empty")
            command = [*self.compiler, *linker, "-x", "c", empty, "-o", program]
            outcome = self.processes.run(command, COMPILE_SECONDS)
            if outcome.succeeded:
                self.linker = linker
                return
        raise SystemExit(f"error: '{words}' compiles no program: {outcome.errors.strip()}")

    def build_fickle_runtime(self, directory):
        source = os.path.join(SUPPORT, "Inputs", "fickle.c")
        module = os.path.join(directory, "fickle.o")
        command = [*self.compiler, "-O1", "-x", "c", "-std=gnu17", "-c", source, "-o", module]
        outcome = self.processes.run(command, COMPILE_SECONDS)
        if not outcome.succeeded:
            raise SystemExit(f"error: cannot compile {source}: {outcome.errors.strip()}")
        self.runtimes["fickle"] = [module]

    def find_archer(self):
        command = [*self.compiler, f"-print-file-name={ARCHER}"]
        self.archer = self.processes.run(command, COMPILE_SECONDS).output.strip()
        if not os.path.isfile(self.archer):
            raise SystemExit(f"error: --sanitize thread needs {ARCHER}, a part of libomp")

    def command(self, program, source, executable, flags):
        language = ["-x", program.language, f"-std={program.standard}"]
        openmp = ["-fopenmp"] if program.openmp else []
        return [*self.compiler, *flags, *openmp, "-w", "-I", SUPPORT, *language,
                source, "-x", "none", "-o", executable, *self.linker]

    def reference(self, program, source, executable):
        return self.command(program, source, executable, ["-O0"])

    def under_test(self, program, source, executable, configuration, plugin=True):
        flags = [*configuration.flags, "-fno-crash-diagnostics", "-fverify-intermediate-code"]
        if configuration.sanitizers:
            flags += [f"-fsanitize={configuration.sanitizers}", "-g1",
                      "-fno-sanitize-recover=all"]
        if self.plugin and plugin:
            flags += [f"-fplugin={self.plugin}", "-Rpass=heddle", "-Rpass-missed=heddle"]
        command = self.command(program, source, executable, flags)
        return command + self.runtimes[configuration.runtime]

    def compile(self, command):
        return self.processes.run(command, COMPILE_SECONDS)

    def run(self, executable, setting, sanitized=False, far=False):
        environment = setting.environment()
        if sanitized:
            environment.update(SANITIZER_ENVIRONMENT)
            if self.archer:
                environment["OMP_TOOL_LIBRARIES"] = self.archer
        limit = FAR_RUN_SECONDS if far else SANITIZED_RUN_SECONDS if sanitized else RUN_SECONDS
        return self.processes.run(setting.command(executable), limit, environment)
