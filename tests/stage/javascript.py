"""The stage's pure modules, run without a browser by the Node.js that Playwright brings."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import playwright

from stage.module_files import MODULE

NODE = next((Path(playwright.__file__).parent / "driver").glob("node*"))
PROGRAM = """{setup}
const answer = await ({code})({argument});
const plain = (key, value) => {{
  if (ArrayBuffer.isView(value)) return [...value];
  return typeof value === "number" && !Number.isFinite(value) ? `number ${{value}}` : value;
}};
process.stdout.write(JSON.stringify(answer, plain));
"""


def run(code: str, argument: Any = None, setup: str = "") -> Any:
    """What a JavaScript function returns for `argument`; `import("./x.js")` in it loads a module of the stage.

    `setup` runs before it.
    """
    program = PROGRAM.format(
        setup=setup, code=code, argument=json.dumps(argument, default=lambda array: array.tolist())
    )
    command = [NODE, "--input-type=module", "--no-warnings", "-"]
    done = subprocess.run(command, input=program, cwd=MODULE, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(re.sub(r'"number (NaN|-?Infinity)"', r"\1", done.stdout))
