"""The bad inputs that are files: number -> (file name, bytes), built without any code of the product."""

import json
import pickle
import struct
from collections.abc import Callable

import numpy as np
import pyarrow as pa

from tests.datasets.files import arff, csv_of, npz, parquet, with_sheet, workbook

File = tuple[str, bytes]


def _lying_zip() -> bytes:
    data = bytearray(npz(X=np.zeros((1000, 100)), y=np.zeros(1000)))
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 200)
    return bytes(data)


def _huge_header() -> bytes:
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 2), }\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head


def _flipped(data: bytes) -> bytes:
    places = np.random.default_rng(3).integers(8, len(data), 40)
    changed = bytearray(data)
    for place in places:
        changed[place] ^= 4
    return bytes(changed)


_N, _L = list(range(1, 13)), ["x", "y", "z"] * 4
_PLAIN = csv_of(a=_N, b=[k * k + 0.5 for k in _N], label=_L)
_TWO = list(zip(["a", *_N], ["b", *(k * k for k in _N)], ["label", *_L], strict=True))
_ROW = "".join(f'<c r="{letter}1"><v>1</v></c>' for letter in "ABCDEFGHIJ")
_BOMB = '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def _varied(n: int) -> list[float]:
    return np.random.default_rng(0).normal(size=n).round(3).tolist()


INPUTS: dict[int, Callable[[], File]] = {
    1: lambda: ("t.csv", b""),
    2: lambda: ("t.csv", b"a,b,label\n"),
    3: lambda: ("t.csv", workbook(one=_TWO)),
    4: lambda: ("t.parquet", parquet(a=_N, label=_L)[:-20]),
    5: lambda: ("t.parquet", _flipped(parquet(a=_N, label=_L))),
    6: lambda: ("t.npz", npz(X=np.ones((2, 2)), y=np.array(["a", None], dtype=object))),
    7: lambda: ("t.csv", pickle.dumps([{"a": 1}])),
    8: lambda: ("t.npy", _huge_header()),
    9: lambda: ("t.npz", npz(X=np.zeros((8_000_000, 8), dtype="u1"), y=np.zeros(8_000_000, dtype="u1"))),
    10: lambda: ("t.npz", _lying_zip()),
    11: lambda: ("t.parquet", parquet(a=np.zeros(60_000_000, dtype="i1"))),
    12: lambda: (
        "t.parquet",
        parquet(a=pa.array(["z" * 200_000] * 1000).dictionary_encode(), label=["x", "y"] * 500),
    ),
    13: lambda: ("t.xlsx", with_sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
    14: lambda: ("t.xlsx", with_sheet(f'<row r="1">{_ROW}</row>' * 255_000)),
    15: lambda: ("t.xlsx", with_sheet("", _BOMB)),
    16: lambda: ("t.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
    17: lambda: ("t.xlsx", workbook(one=_TWO, two=_TWO)),
    18: lambda: ("t.csv", b"\xef\xbb\xbf" + _PLAIN),
    19: lambda: ("t.csv", _PLAIN.decode().encode("utf-16")),
    20: lambda: ("t.csv", csv_of(größe=_N, b=_varied(12), label=["süß", "herb"] * 6).decode().encode("latin-1")),
    21: lambda: ("t.csv", _PLAIN.replace(b"5", b"\x00")),
    22: lambda: ("t.csv", _PLAIN.replace(b"3,9.5", b'3,"9.5')),
    23: lambda: ("t.csv", _PLAIN.replace(b"3,9.5", b"3,9.5,7,8")),
    24: lambda: ("t.csv", _PLAIN.replace(b"3,9.5,z", b"3,9.5")),
    25: lambda: ("t.csv", b",".join([b"1"] * 1_000_000) + b"\n"),
    26: lambda: ("t.csv", _PLAIN.replace(b",", b";").replace(b".", b",")),
    27: lambda: ("t.csv", _PLAIN.replace(b"a,b", b"a,a")),
    28: lambda: ("t.csv", _PLAIN.replace(b"a,b", b"a,")),
    29: lambda: ("t.csv", _PLAIN.replace(b"a,b", b"<b onclick=x>**a**</b>,b")),
    30: lambda: ("t.csv", _PLAIN.replace(b"a,b", "a\u202e\x07,b".encode())),
    31: lambda: ("t.csv", _PLAIN.replace(b"9.5", b"NaN").replace(b"25.5", b"")),
    32: lambda: ("t.csv", _PLAIN.replace(b"9.5", b"inf").replace(b"25.5", b"1e999")),
    33: lambda: ("t.csv", csv_of(a=[2**64 + k for k in _N], b=_varied(12), label=_L)),
    34: lambda: ("t.csv", csv_of(a=[f'"{k},{100 + k * k}"' for k in _N], b=_varied(12), label=_L)),
    35: lambda: ("t.csv", csv_of(when=[f"2024-03-{k:02d}" for k in _N], a=_N[::-1], b=_varied(12), label=_L)),
    36: lambda: ("t.csv", csv_of(colour=["red", "blue", "red", "green"] * 3, a=_varied(12), label=_L)),
    37: lambda: ("t.csv", csv_of(a=[f"said {k}" for k in _N], b=[f"dias {k}" for k in _N], label=_L)),
    38: lambda: ("t.csv", csv_of(const=[7] * 12, a=_varied(12), b=_varied(12)[::-1], label=_L)),
    39: lambda: ("t.csv", csv_of(a=[5] * 12, b=[7] * 12, label=_L)),
    40: lambda: ("t.csv", _PLAIN.replace(b"9.5", b"1e200")),
    41: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["NA", "None", "x"] * 4)),
    42: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["01", "1", "001"] * 4)),
    43: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["1", "one", "2.5"] * 4)),
    44: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["x", "", "y"] * 4)),
    45: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["x"] * 12)),
    46: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=[f"k{k}" for k in _N])),
    47: lambda: ("t.csv", csv_of(a=_varied(12), b=_varied(12)[::-1], label=["x"] * 6 + ["y"] * 5 + ["one"])),
    48: lambda: ("t.csv", csv_of(a=_varied(20_000), label=[f"{k // 2}.5" for k in range(20_000)])),
    49: lambda: ("t.csv", csv_of(a=_varied(200), b=_varied(200)[::-1], target=[f"{k * 1.37:.2f}" for k in range(200)])),
    50: lambda: ("t.csv", csv_of(a=_varied(40), b=_varied(40)[::-1])),
    51: lambda: ("t.csv", b"a,b,label\n1,2,x\n3,4,y\n"),
    52: lambda: ("t.csv", csv_of(**{f"c{k}": _varied(400)[k * 10 : k * 10 + 12] for k in range(38)}, label=_L)),
    53: lambda: ("t.csv", csv_of(a=range(1_100_000), b=range(1, 1_100_001), label=["x", "y"] * 550_000)),
    54: lambda: ("t.csv", b"a,b,label\n" + b"1,2,x\n1,2,y\n" * 6),
    55: lambda: ("t.csv", _PLAIN + b"1,1.5,y\n1,1.5,z\n"),
    56: lambda: ("t.csv", csv_of(a=[*range(10), 1_000_000, -1_000_000], b=_varied(12), label=_L)),
    57: lambda: ("t.csv", csv_of(a=_varied(12), twice=[2 * v for v in _varied(12)], b=_N, label=_L)),
    58: lambda: ("t.csv", b"a,b,c,label\n0,0,1,x\n1,0,0,y\n0,2,0,z\n"),
    59: lambda: ("t.arff", arff("1,2,x\n% a comment\n3,4,zebra\n5,7,x\n7,1,y\n")),
    60: lambda: ("t.arff", arff("1,2.5,x\n2,3.5,y\n3,4.5,x\n4,5,y\n", kinds="string")),
    61: lambda: ("t.arff", arff("{0 1,1 2.5}\n{0 2,1 3.5,2 y}\n{0 3,1 4.5,2 x}\n{0 4,1 5,2 y}\n")),
    62: lambda: ("t.json", json.dumps([{"=a": k, "b": k * k, "label": f"@{k % 2}"} for k in _N]).encode()),
}
WITHOUT_A_FILE = {63: "an upload during a training", 64: "a tab closed during a reading"}
