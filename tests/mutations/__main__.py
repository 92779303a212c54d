"""Break one thing at a time in a copy of the tree and report what no test noticed.

python -m tests.mutations              all of them
python -m tests.mutations study link   those whose file has one of these words in its name
python -m tests.mutations fit          only check that each fits the code and names tests that are there
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

from tests.mutations import MUTATIONS
from tests.mutations.mutation import Mutation
from tests.tracked_files import ROOT, tracked_paths

FAILED = 1  # what pytest answers where tests ran and some failed
SECONDS = 600


def main(words: list[str]) -> int:
    """0 where every mutation was noticed, else 1."""
    if words == ["fit"]:
        misfits = [reason for mutation in MUTATIONS if (reason := misfit(mutation))]
        print(*misfits, f"{len(MUTATIONS) - len(misfits)} of {len(MUTATIONS)} fit.", sep="\n")
        return 1 if misfits else 0
    chosen = [mutation for mutation in MUTATIONS if not words or any(word in mutation.file for word in words)]
    if not chosen:
        print(f"No mutation is of a file with {' or '.join(words)} in its name.")
        return 1
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder)
        copy_tree(copy)
        tests = sorted({test for mutation in chosen for test in mutation.tests})
        print(f"{len(tests)} tests must pass as things are ...", flush=True)
        answer, output = run_tests(copy, tests)
        if answer != 0:
            print(output[-3_000:])
            print("They do not pass; there is nothing to compare with.")
            return 1
        missed = [mutation for mutation in chosen if not noticed(copy, mutation)]
    print(f"{len(chosen) - len(missed)} of {len(chosen)} were noticed.")
    for mutation in missed:
        print(f"not noticed: {mutation}  by  {' '.join(mutation.tests)}")
    return 1 if missed else 0


def misfit(mutation: Mutation) -> str:
    """Why `mutation` does not fit the code or its tests, "" if it does."""
    try:
        text = mutated((ROOT / mutation.file).read_text(encoding="utf-8"), mutation)
        if mutation.file.endswith(".py"):
            ast.parse(text)
        for test in mutation.tests:
            file, _, name = test.partition("::")
            if name and name.partition("[")[0] not in _names(file):
                return f"{mutation} names no test: {test}"
    except (OSError, SyntaxError, ValueError) as error:
        return f"{mutation}: {error}"
    return "" if mutation.tests else f"{mutation} names no test"


@cache
def _names(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if hasattr(node, "name")}


def copy_tree(copy: Path) -> None:
    """Copy what belongs to the project to the folder `copy`."""
    for path in tracked_paths():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def noticed(copy: Path, mutation: Mutation) -> bool:
    """Whether a test of `mutation` fails once it is made; the file is as it was afterwards."""
    path = copy / mutation.file
    text, stamp = path.read_text(encoding="utf-8"), path.stat()
    began = time.monotonic()
    try:
        path.write_text(mutated(text, mutation), encoding="utf-8")
        answer, output = run_tests(copy, mutation.tests)
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # what was compiled from it is good again
    said = {0: "NOT NOTICED", FAILED: "noticed"}.get(answer, f"pytest answered {answer}")
    print(f"{said:12} {time.monotonic() - began:5.1f} s  {mutation}", flush=True)
    if answer not in (0, FAILED):
        print(output[-1_500:])
    return answer == FAILED


def mutated(text: str, mutation: Mutation) -> str:
    """`text` of a file with the mutation made.

    Raises
    ------
    ValueError
        Where its old piece does not stand there exactly once.
    """
    if text.count(mutation.old) != 1:
        raise ValueError(f"{mutation} finds its old text {text.count(mutation.old)} times; it must be there once.")
    return text.replace(mutation.old, mutation.new)


def run_tests(folder: Path, tests: list[str] | tuple[str, ...]) -> tuple[int, str]:
    """(what pytest answers, what it says) to these tests in `folder`, up to the first that fails."""
    # Without the slowest cases, but with those that an ordinary run leaves to commands of their own.
    options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not thorough"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    # Python trusts compiled files whose source has the same size and second: so there are none.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",  # a test of names that are no text prints them where it fails
        timeout=SECONDS,
    )
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
