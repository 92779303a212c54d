"""python -m export.playground [FILE]: write the playground."""

import argparse
from pathlib import Path

from export.playground import playground


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m export.playground", description="Write the NCA playground.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("nca-playground.html"))
    file: Path = parser.parse_args().file
    content = playground().encode("utf-8")
    try:
        file.write_bytes(content)
    except OSError as error:
        raise SystemExit(f"{file} cannot be written: {error.strerror}.") from None
    print(f"{file}: {len(content) / 1000:.0f} kB. Open it in a browser.")


if __name__ == "__main__":
    main()
