"""Modules become one script that does what they did; what it cannot read is refused, not dropped."""

from pathlib import Path

import pytest

from export import player
from stage.module_files import MODULE, bundle


def module(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


def test_every_module_stands_once_before_those_that_need_it(tmp_path):
    module(tmp_path, "a.js", 'export const one = 1;\nexport function f() { return one; }\nconst hidden = "a";\n')
    module(
        tmp_path, "b.js", 'import { f } from "./a.js";\nexport class B { go() { return f(); } }\nconst hidden = "b";\n'
    )
    module(tmp_path, "table.json", '{ "three": 3 }\n')
    (tmp_path / "elsewhere").mkdir()
    text = 'import { B } from "./b.js";\nimport { one as uno } from "./a.js";\n'
    text += 'import table from "./table.json" with { type: "json" };\nexport function start() { return new B(uno); }\n'
    start = module(tmp_path / "elsewhere", "start.js", text)
    script = bundle(start, tmp_path)
    assert script.count("module_a_js = ") == script.count("module_b_js = ") == 1
    assert script.index("module_a_js = ") < script.index("module_b_js = ") < script.index("new B(uno)")
    assert "const { one: uno } = module_a_js;" in script
    assert "return { one, f };" in script
    assert 'const module_table_json = {"three": 3};' in script
    as_module = bundle(start, tmp_path, default="start")
    assert as_module.startswith("export default (() => {")
    assert "return module_start_js.start;\n})();" in as_module


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./a.js";',
        'export { x } from "./a.js";',
        "export default 3;",
        'import("./a.js");',
    ],
)
def test_other_forms_are_refused(tmp_path, line):
    module(tmp_path, "a.js", "export const x = 1;\n")
    with pytest.raises(ValueError, match=r"start\.js: this line cannot be bundled"):
        bundle(module(tmp_path, "start.js", f"{line}\n"), tmp_path)


def test_circles_and_the_end_of_a_script_are_refused(tmp_path):
    module(tmp_path, "a.js", 'import { y } from "./b.js";\nexport const x = 1;\n')
    module(tmp_path, "b.js", 'import { x } from "./a.js";\nexport const y = 1;\n')
    with pytest.raises(ValueError, match=r"a\.js -> b\.js -> a\.js"):
        bundle(tmp_path / "a.js", tmp_path)
    with pytest.raises(ValueError, match="end tag"):
        bundle(module(tmp_path, "c.js", 'const s = "</Script>";\n'), tmp_path)


def test_the_stage_itself():
    """All of its modules but the drawing board and the other hosts."""
    script = bundle(Path(player.__file__).parent / "standalone.js", MODULE)
    for path in MODULE.glob("*.js"):
        there = f"const module_{path.stem}_js = " in script
        assert there == (path.stem not in ("board", "mount", "notebook")), path.name
    assert "fetch(" not in script
    assert "new WebSocket" not in script
