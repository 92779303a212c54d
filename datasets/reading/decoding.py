"""What the bytes of a file are, whatever its name: a known format, a file to refuse with advice, or text.

Text is decoded by byte order marks, the zero bytes of UTF-16, strict UTF-8, then as the best of some legacy encodings.
One that cannot decode the bytes is out. Of the others, the score is the mean weight of the characters beyond ASCII:
common ones of the language weigh most, its rarer ones less, and characters in no table nothing. Encodings of one byte a
letter that share an alphabet are told apart by the letters of their languages.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from datasets.base.errors import DataError
from datasets.base.words import counted

ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "cp1250": "Windows-1250 (Central European)",
    "iso8859-2": "ISO 8859-2 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "koi8-r": "KOI8-R (Cyrillic)",
    "cp866": "DOS 866 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "mac-roman": "Mac Roman",
    "shift-jis": "Shift-JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "euc-kr": "EUC-KR (Korean)",
}
# Windows has more characters than these standards, such as circled numbers and rare syllables.
CODECS = {"shift-jis": "cp932", "euc-kr": "cp949", "big5": "cp950"}
# UTF-32's mark begins like UTF-16's.
_MARKS = (
    *((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")),
    *((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")),
)
_UTF16_SAMPLE = 2000


@dataclass(frozen=True)
class Decoded:
    """Text, and how its bytes were read."""

    text: str  # all of it
    encoding: str  # a key of ENCODINGS
    notes: tuple[str, ...] = ()  # a sentence where it is not plain UTF-8
    # where it is doubtful, all that it could be with a preview, the one that was taken first
    alternatives: tuple[Guess, ...] = ()


def decoded(data: bytes, filename: str, encoding: str | None = None) -> Decoded:
    """The text, its encoding, and how sure that is.

    Raises DataError for zero bytes that are not UTF-16's, or bytes that are no text in Unicode where it was asked for.
    """
    found = encoding or next((name for mark, name in _MARKS if data.startswith(mark)), None) or _utf16(data)
    if found:
        try:
            errors = "strict" if found.startswith("utf") else "replace"
            text = data.decode(CODECS.get(found, found), errors).removeprefix("\ufeff")
        except (UnicodeError, LookupError):
            raise DataError(f"{filename} cannot be read as {found.upper()}; save it as UTF-8.") from None
        if "\0" not in text:
            wide = found.startswith(("utf-16", "utf-32"))
            return Decoded(text, found, (f"The text is {found.upper()}.",) if wide else _unread(text))
    data = data.rstrip(b"\0\x1a")  # as old programs end a file
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise DataError(f"{filename}, line {line} holds a zero byte: this is not a text table. Save it as CSV.")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        best, *others = guesses(data)
    sure = not others or best.score - others[0].score >= _SURE_MARGIN
    alternatives = () if sure else tuple(guess for guess in (best, *others) if guess.score > 0.0)
    name, text = best.encoding, data.decode(CODECS.get(best.encoding, best.encoding), errors="replace")
    if "\ufffd" in text:  # beyond the sample that was looked at
        name, text = "cp1252", data.decode("cp1252", errors="replace")
    doubt = (
        "" if sure or name == "cp1252" else ", which is doubtful: choose another encoding if the preview looks wrong"
    )
    note = f"The text is not UTF-8; it was read as {ENCODINGS[name]}{doubt}."
    return Decoded(text, name, (note, *_unread(text)), alternatives)


def _unread(text: str) -> tuple[str, ...]:
    """A sentence about the characters that are none of the encoding."""
    if "\ufffd" not in text:
        return ()
    line = len(text[: text.index("\ufffd") + 1].splitlines())
    n_unread = counted(text.count("\ufffd"), "character is", "characters are")
    advice = "choose another encoding, or save the file as UTF-8"
    return (f"{n_unread} none of its (the first on line {line}) and shown as \ufffd: {advice}.",)


def _utf16(data: bytes) -> str | None:
    """UTF-16 without its mark: in Latin text every second byte is zero."""
    sample = data[:_UTF16_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(data) % 2 or max(even, odd) < 0.4 * len(sample) / 2 or min(even, odd) > 0:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


_SIMPLIFIED = (
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还"
    "用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感男性"
    "类别标签编号姓龄温度湿重量宽颜色品区城市省县北京海广东红绿蓝黄白黑合格否健康患病良差优"
)
_TRADITIONAL = (
    "的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還"
    "用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間知世什兩次使身者被高已親其進此話常與活正感男性類"
    "別標籤編號姓齡溫度濕重量寬顏色品區城市縣臺灣台北雄紅綠藍黃白黑合格否健康患病良差優"
)
_KOREAN = (
    "이다는의에가을를은로하고지도사한대기어서자그나리인과시것들으수아만정있해일원보전부스제주장성구소라여면니적음비안상생문공요세신관계분치오조용무국중"
    "동명물결연월년남건강환종류름게길온역울산빨파랑노초록"
)
_JAPANESE = frozenset(
    "日一人年大本中国会長時出三分後生二行事者見月上東間子同今高自合立内学校場市区名前男女性別年齢重量幅温度種類品色赤青黄白黒健康病良否京阪北海道"
)
# Encoding: the standard whose first bytes from .. to .. hold its usual characters, the common ones, what both weigh.
_EAST_ASIAN = {
    "gb18030": ("gb2312", 0xB0, 0xD7, frozenset(_SIMPLIFIED), 0.6, 0.6),
    "big5": ("big5", 0xA4, 0xC6, frozenset(_TRADITIONAL), 0.6, 0.6),
    "shift-jis": ("shift_jis", 0x88, 0x97, _JAPANESE | set(map(chr, range(0x3041, 0x30FD))), 0.6, 0.6),
    "euc-kr": ("euc_kr", 0xB0, 0xC8, frozenset(_KOREAN), 0.65, 0.3),
}
_LATIN = frozenset("äöüßéèêëàâçñáíóúãõåøæœôûîïìòùÄÖÜÉÈÊÀÂÇÑÁÍÓÚÅØÆŠšŽž°µ€–—’‘“”„£±²³·½…«»×©®¿¡ºª§ÿý")
# Encoding: the letters beyond ASCII of each of its languages.
_LANGUAGES = {
    "cp1252": (
        *("àâçéèêëîïôùûüœæµ", "äöüßéµ", "áéíñóúüªºµ", "áâãàçéêíóôõúüªºµ", "åäöæøéüàµ", "àèéìíòóùúµ", "áðéíóúýþæö"),
        *("ëïéüèöä", "çàéèíòóúïü"),
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóôřšťúůýžäľ", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıöşüâî",),
}
_LANGUAGES |= {"iso8859-2": _LANGUAGES["cp1250"], "mac-roman": _LANGUAGES["cp1252"]}
_OF_MAC = re.compile("[a-z][\ufffdŽŠŸ‡§ˆ˜][a-z]")  # é, á, ç and others of Mac Roman, read as Windows-1252
# The eight most frequent letters; of other alphabets' letters a quarter look like these.
_FREQUENT = dict.fromkeys(("cp1251", "koi8-r", "cp866"), "оеаинтср") | {"cp1253": "αοιετσνη"}
_FEWEST_LETTERS, _FEWEST_DIFFERENT = 5, 3  # of units, such as µg/l, there are fewer
_SIGN_IN_A_WORD = re.compile(r"(?<=[^\W\d_])[£¯¿]")  # of Windows-1252: Ł, Ż and ż of Windows-1250
_FEWER = 0.7  # of its letters are letters in the usual encoding, too
_MARGIN, _FREQUENT_SHARE, _USUAL_SHARE = 0.15, 0.4, 0.6
_WORD = re.compile(r"[^\W\d_]{2,}")
_OFTEN_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчйі")
_CYRILLIC_WORD = re.compile(r"(?<![^\W\d_])[\u0401-\u045f]+(?![^\W\d_])")
_IN_A_WORD = re.compile(r"(?<=[a-z])[^\x00-\x7f](?=[a-z])")
_SAMPLE = 200_000
_SURE_MARGIN = 0.2
_FIRST_IDEOGRAPH, _ODD = "\u3400", 0.1
_PREVIEW_LINES = 3


@dataclass(frozen=True)
class Guess:
    """An encoding, how well the text reads in it (0 to 1), and the first lines with characters beyond ASCII."""

    encoding: str
    score: float
    preview: str


def guesses(data: bytes) -> tuple[Guess, ...]:
    """The encodings in which the bytes can be read, best first; Windows-1252 among them, and first of equals, or Mac
    Roman where lines end as on an old Macintosh."""
    sample = data[:_SAMPLE]
    if len(sample) < len(data):
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    found, first = [], "cp1252" if b"\n" in sample or b"\r" not in sample else "mac-roman"
    for encoding in dict.fromkeys((*_EAST_ASIAN, first, "cp1252", "cp1251")):
        try:
            text = sample.decode(CODECS.get(encoding, encoding), "strict" if encoding in _EAST_ASIAN else "replace")
        except UnicodeDecodeError:
            continue
        weight = {first: _latin_weight, "cp1252": _latin_weight, "cp1251": _cyrillic_weight}.get(encoding)
        weighs = weight(text) if weight else _east_asian_weights(text, encoding)
        score = weighs / max(1, sum(ord(char) > 127 for char in text))
        found.append(Guess(encoding, score, _preview(text)))
    is_of_mac = _OF_MAC.search(sample.decode("cp1252", errors="replace")) is not None
    latin = ["cp1250", "iso8859-2", "cp1254", *["mac-roman"] * is_of_mac]
    for usual, others in (("cp1252", latin), ("cp1251", ["koi8-r", "cp866", "cp1253"])):
        read = {name: sample.decode(CODECS.get(name, name), errors="replace") for name in (usual, *others)}
        fewest = 2 if len(set(_SIGN_IN_A_WORD.findall(read[usual]))) > 1 else _FEWEST_LETTERS
        shares = {encoding: _share_of_letters(text, encoding, fewest) for encoding, text in read.items()}
        best = max(others, key=lambda encoding: shares[encoding])
        least, usual_share = (_FREQUENT_SHARE, _USUAL_SHARE) if best in _FREQUENT else (1 - _MARGIN, 1.0)
        (share, n_letters), (share_as_usual, n_as_usual) = shares[best], shares[usual]
        kept = n_as_usual / max(1, n_letters)  # letters of one may be signs in the other: "³" inside words is "ł"
        if share >= least and (share > share_as_usual + _MARGIN or kept < _FEWER):
            most = min(share_as_usual, kept)
            found = [
                replace(guess, score=min(guess.score, most)) if guess.encoding not in _EAST_ASIAN else guess
                for guess in found
            ]
            found.append(Guess(best, min(1.0, shares[best][0] / usual_share), _preview(read[best])))
    return tuple(sorted(found, key=lambda guess: (-guess.score, guess.encoding != first)))


def _share_of_letters(text: str, encoding: str, fewest: int) -> tuple[float, int]:
    """(the share of the letters beyond ASCII that are of the language that has most of them, how many these are); of
    other alphabets the share of frequent letters, in words without any Latin one; 0 of fewer letters than `fewest`."""
    letters = [char for char in text.lower() if ord(char) > 127 and (char.isalpha() or char == "\ufffd")]
    if len(letters) < fewest or len(set(letters)) < min(fewest, _FEWEST_DIFFERENT):
        return 0.0, 0
    if encoding in _FREQUENT:
        words = "".join(word for word in _WORD.findall(text.lower()) if not re.search("[a-z]", word))
        n_own = sum(map(words.count, _FREQUENT[encoding]))
    else:
        n_own = max(sum(map(own.__contains__, letters)) for own in _LANGUAGES[encoding])
    return n_own / len(letters), n_own


def _preview(text: str) -> str:
    """The first lines that hold characters beyond ASCII."""
    lines = (line.strip()[:80] for line in text.splitlines() if not line.isascii())
    return "\n".join(islice(lines, _PREVIEW_LINES))


def _latin_weight(text: str) -> float:
    """Accented letters stand alone between others; two in a row are rare."""
    runs = re.findall(r"[^\x00-\x7f]+", text)
    return sum((1.0 if len(run) == 1 else 0.3) * sum(char in _LATIN for char in run) for run in runs)


def _cyrillic_weight(text: str) -> float:
    """Words of Cyrillic letters alone, capitals at their beginnings only or throughout."""
    return sum(
        1.0 if char in _OFTEN_CYRILLIC else 0.6
        for word in _CYRILLIC_WORD.findall(text)
        if len(word) > 1 and (word[1:].islower() or word.isupper()) and not _OFTEN_CYRILLIC.isdisjoint(word.lower())
        for char in word.lower()
    )


def _east_asian_weights(text: str, encoding: str) -> float:
    """Between small Latin letters accented ones only, which a Chinese program writes in two bytes, too; little for a
    single rare letter, which is two odd bytes of another text."""
    n_accented = sum(char in _LATIN for char in _IN_A_WORD.findall(text))
    chars = [char for char in _IN_A_WORD.sub("", text) if ord(char) > 127]
    weights = sum(_east_asian_weight(char, encoding) for char in chars)
    is_odd = len(set(chars)) == 1 and weights < len(chars) and chars[0] >= _FIRST_IDEOGRAPH
    return n_accented + (_ODD * weights if is_odd else weights)


def _east_asian_weight(char: str, encoding: str) -> float:
    """1 for common characters, less for other usual ones and for punctuation, Greek and full-width letters."""
    standard, first, last, common, usual, mark = _EAST_ASIAN[encoding]
    if char in common:
        return 1.0
    if "\u3000" <= char <= "\u3020" or "\uff01" <= char <= "\uff5e" or "\u0391" <= char <= "\u03c9":
        return mark
    code = char.encode(standard, errors="ignore")
    return usual if len(code) == 2 and first <= code[0] <= last else 0.0


FORMAT_NAMES = {
    "workbook": "a workbook",
    "parquet": "a Parquet file",
    "npz": "a zip of NumPy arrays",
    "npy": "a NumPy array",
    "arff": "an ARFF file",
    "json": "a JSON file",
    "svmlight": "a libsvm file",
    "page": "a web page",
    "xml": "XML",
    "spss": "an SPSS file",
    "portable": "an SPSS portable file",
    "stata": "a Stata file",
    "sas": "a SAS file",
}
_UNPACK = "unpack it and choose the table in it"
_SAVE = "open it in the program that wrote it and save the table as CSV"
_FIRST_BYTES: dict[tuple[bytes, ...], tuple[str, str]] = {
    (b"\x1f\x8b",): ("compressed twice", _UNPACK),
    tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)): ("compressed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00",): ("compressed with xz", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c",): ("a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07",): ("a RAR archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd",): ("compressed with zstd", _UNPACK),
    (b"%PDF-",): ("a PDF document", "save the table it shows as CSV"),
    (b"{\\rtf",): ("a text document (RTF)", _SAVE),
    (b"\x89PNG", b"\xff\xd8\xff", b"GIF89a"): ("a picture", "choose a table"),
    (b"\x89HDF",): ("an HDF5 file", "save X and y with numpy.savez, or the table as CSV"),
    (b"MATLAB 5.0 MAT-file",): ("a MATLAB file", "save the table with writetable as CSV"),
    (b"SQLite format 3\0",): ("a database", _SAVE),
    (b"RDX2\n", b"RDX3\n", b"X\n\0\0\0"): ("R data", "save it with write.csv"),
    (b"ARROW1\0\0",): ("a Feather file", "save it as Parquet or CSV"),
}
SCRIPT = re.compile(r"^\s*(?:(?:var|let|const)\s+)?[A-Za-z_$][\w.$]*\s*=\s*(?=[\[{])")  # "data = {" before JSON
_NOT_JSON = re.compile(  # "[time] event", "[section]", "[[of several]]"
    rb"\[\[?(?!true|false|null|NaN)[A-Za-z]|\[(?!\s*[{\[\"])[^\]\n]*\][ \t]*[^\s,\]}]"
)
_WEB = (b"<html", b"<!doctype", b"<table", b"<?xml", b"<head", b"<meta")
_ELEMENT = re.compile(rb"<[A-Za-z_][\w:.-]*[\s/>]")
_TABLE_TAG = re.compile(rb"<table[\s>]", re.IGNORECASE)
ZIPPED = b"\x1f\x8b"
_PACKAGES = {
    "spss": (b"$FL2@(#)", b"$FL3@(#)"),
    "stata": (b"<stata_dta>", *(bytes((version, order, 1)) for version in range(108, 116) for order in (1, 2))),
    "sas": (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf",),
}
_PORTABLE, _PORTABLE_PLACE, _PORTABLE_HEAD = b"SPSSPORT", 456, 600  # behind names and a table of letters
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
EXCEL_2_TO_4 = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def unzipped(data: bytes, filename: str, most: int) -> bytes:
    """The bytes of a gzip file, or those of any other as they are."""
    if data[:2] != ZIPPED:
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            content = file.read(most + 1)
    except (OSError, EOFError, zlib.error):
        raise DataError(f"{filename} begins like a gzip file but cannot be unpacked; save it again.") from None
    if len(content) > most:
        raise DataError(f"{filename} unpacks to more than {most // 1_000_000} MB, which is the limit.")
    if not content:
        raise DataError(f"{filename} is empty once unpacked. Choose a file with a header line and rows.")
    return content


def kind_of(data: bytes, filename: str) -> str:
    """The kind of a file: "text", or a name in FORMAT_NAMES."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        # The directory at the end names the members; a name in it is enough to tell a workbook from arrays.
        return "workbook" if any(name in data for name in (b"xl/", b"[Content_Types].xml", b"content.xml")) else "npz"
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith(b"\x93NUMPY"):
        return "npy"
    if data.startswith((_OLE, *EXCEL_2_TO_4)):
        return "workbook"
    for package, marks in _PACKAGES.items():
        if data.startswith(marks):
            return package
    if data[:_PORTABLE_HEAD].replace(b"\r", b"").replace(b"\n", b"").find(_PORTABLE) == _PORTABLE_PLACE:
        return "portable"
    if data.startswith(_PICKLES) and data.rstrip().endswith(b"."):
        raise DataError(f"{filename} is a Python pickle, which could run code and is never opened. Save it as CSV.")
    for begins, (what, advice) in _FIRST_BYTES.items():
        if data.startswith(begins):
            raise DataError(f"{filename} is {what}; {advice}.")
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.lower().startswith(_WEB):  # spreadsheets' "web page" is often called .xls
        is_xml = start.startswith(b"<?xml") and b"<html" not in start.lower()
        return "page" if _TABLE_TAG.search(data) or not is_xml else "xml"
    if _ELEMENT.match(start) and data.rstrip().endswith(b">"):  # unlike "<DATE>,<CLOSE>"
        return "page" if _TABLE_TAG.search(data) else "xml"
    records = SCRIPT.sub("", start[:200].decode("latin-1"), count=1).encode("latin-1") + start[200:]
    if records[:1] in (b"{", b"[") and not _NOT_JSON.match(records):
        return "json"
    for line in start.splitlines()[:200]:
        word = line.strip().lower()
        if word.startswith((b"@relation", b"@attribute")):
            return "arff"
        if word and not word.startswith(b"%"):
            break
    return "svmlight" if is_svmlight(data) else "text"


_SVMLIGHT_NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_SVMLIGHT_LINE = re.compile(
    rb"%s(?:[ \t]+qid:\d+)?(?P<pairs>(?:[ \t]+\d+:%s)*)[ \t]*(?:#.*)?" % (_SVMLIGHT_NUMBER, _SVMLIGHT_NUMBER)
)
_SVMLIGHT_BYTES, _SVMLIGHT_LINES = 200_000, 50


def svmlight_indices(line: bytes) -> list[int] | None:
    """The indices of a line "label index:value …"; None where it is no such line or they do not grow, as in times."""
    found = _SVMLIGHT_LINE.fullmatch(line.strip())
    indices = [int(pair.partition(b":")[0]) for pair in found["pairs"].split()] if found else []
    return None if found is None or any(b <= a for a, b in pairwise(indices)) else indices


def is_svmlight(data: bytes) -> bool:
    """Whether the first lines all look so, and some have two pairs."""
    lines = data[:_SVMLIGHT_BYTES].removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(data) > _SVMLIGHT_BYTES:
        lines = lines[:-1]  # cut in the middle
    written = [line for line in lines if line.partition(b"#")[0].strip()][:_SVMLIGHT_LINES]
    found = [svmlight_indices(line) for line in written]
    return all(each is not None for each in found) and any(len(each or ()) > 1 for each in found)
