"""Bytes -> text: byte order marks, the zero bytes of UTF-16, strict UTF-8, then the best of six legacy encodings.

An encoding that cannot decode the bytes is out. Of the others, the score is the mean weight of the characters beyond
ASCII: common ones of the language weigh most, its rarer ones less, and characters in no table nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from datasets.base.errors import DataError
from datasets.base.words import counted

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
    encoding: str  # one of ENCODINGS
    notes: tuple[str, ...] = ()  # a sentence where it is not plain UTF-8
    confidence: float = 1.0  # 0 to 1; 1 where it was said or cannot be anything else
    # where it is doubtful, all that it could be with a preview, the one that was taken first
    alternatives: tuple[Guess, ...] = ()


def decoded(data: bytes, filename: str, encoding: str | None = None) -> Decoded:
    """The text, its encoding, and how sure that is.

    Raises
    ------
    DataError
        For zero bytes that are not UTF-16's, or bytes that the asked-for encoding does not allow.
    """
    found = encoding or next((name for mark, name in _MARKS if data.startswith(mark)), None) or _utf16(data)
    if found:
        try:
            text = data.decode(found).removeprefix("\ufeff")
        except (UnicodeError, LookupError):
            raise DataError(f"{filename} cannot be read as {found.upper()}; save it as UTF-8.") from None
        if "\0" not in text:
            wide = found.startswith(("utf-16", "utf-32"))
            return Decoded(text, found, (f"The text is {found.upper()}.",) if wide else ())
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        raise DataError(f"{filename}, line {line} holds a zero byte: this is not a text table. Save it as CSV.")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        found_by_use = guesses(data)
    sure, best = is_sure(found_by_use), found_by_use[0].encoding
    others = () if sure else tuple(guess for guess in found_by_use if guess.score > 0.0)
    if best != "cp1252":
        try:
            text = data.decode(best)
        except UnicodeDecodeError:  # beyond the sample that was looked at
            best = "cp1252"
        else:
            read_as = f"The text is not UTF-8; it was read as {ENCODING_NAMES[best]}"
            doubt = "" if sure else ", which is doubtful: choose another encoding if the preview looks wrong"
            return Decoded(text, best, (f"{read_as}{doubt}.",), confidence(found_by_use), others)
    text = data.decode("cp1252", errors="replace")
    notes = ["The text is not UTF-8; it was read as Windows-1252."]
    if "\ufffd" in text:
        line = text[: text.index("\ufffd")].count("\n") + 1
        n_unread = counted(text.count("\ufffd"), "character is", "characters are")
        notes.append(
            f"{n_unread} none of its (the first on line {line}) and shown as \ufffd: choose another encoding, or "
            "save the file as UTF-8."
        )
    return Decoded(text, "cp1252", tuple(notes), confidence(found_by_use), others)


def _utf16(data: bytes) -> str | None:
    """UTF-16 without its mark: in Latin text every second byte is zero."""
    sample = data[:_UTF16_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(data) % 2 or max(even, odd) < 0.4 * len(sample) / 2 or min(even, odd) > 0:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


_SIMPLIFIED = frozenset(
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还"
    "用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感男性"
    "类别标签编号姓龄温度湿重量宽颜色品区城市省县北京海广东红绿蓝黄白黑合格否健康患病良差优"
)
_TRADITIONAL = frozenset(
    "的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還"
    "用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間知世什兩次使身者被高已親其進此話常與活正感男性類"
    "別標籤編號姓齡溫度濕重量寬顏色品區城市縣臺灣台北雄紅綠藍黃白黑合格否健康患病良差優"
)
_KOREAN = frozenset(
    "이다는의에가을를은로하고지도사한대기어서자그나리인과시것들으수아만정있해일원보전부스제주장성구소라여면니적음비안상생문공요세신관계분치오조용무국중"
    "동명물결연월년남건강환종류름게길온역울산빨파랑노초록"
)
_JAPANESE = frozenset(
    "日一人年大本中国会長時出三分後生二行事者見月上東間子同今高自合立内学校場市区名前男女性別年齢重量幅温度種類品色赤青黄白黒健康病良否京阪北海道"
)
_LATIN = frozenset("äöüßéèêëàâçñáíóúãõåøæœôûîïìòùÄÖÜÉÈÊÀÂÇÑÁÍÓÚÅØÆŠšŽž°µ€–—’‘“”„£±²³·½…«»×©®¿¡ºª§ÿý")
_OFTEN_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчйі")
_CYRILLIC_WORD = re.compile(r"(?<![^\W\d_])[\u0401-\u045f]+(?![^\W\d_])")
ENCODING_NAMES = {
    "cp1252": "Windows-1252 (Western)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "shift-jis": "Shift-JIS (Japanese)",
    "euc-kr": "EUC-KR (Korean)",
}
_SAMPLE = 200_000
_SURE_MARGIN = 0.2
_PREVIEW_LINES = 3


@dataclass(frozen=True)
class Guess:
    """An encoding, how well the text reads in it (0 to 1), and the first lines with characters beyond ASCII."""

    encoding: str
    score: float
    preview: str


def guesses(data: bytes) -> tuple[Guess, ...]:
    """The encodings in which the bytes can be read, best first; Windows-1252 among them at any rate."""
    sample = data[:_SAMPLE]
    if len(sample) < len(data):
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    found = []
    for encoding, weight in _WEIGHTS.items():
        try:
            text = sample.decode(encoding)
        except UnicodeDecodeError:
            continue
        beyond = [char for char in text if ord(char) > 127]
        score = sum(map(weight, beyond)) / max(1, len(beyond))
        found.append(Guess(encoding, score, _preview(text)))
    for encoding, score_of in (("cp1252", _latin_score), ("cp1251", _cyrillic_score)):
        text = sample.decode(encoding, errors="replace")
        found.append(Guess(encoding, score_of(text), _preview(text)))
    return tuple(sorted(found, key=lambda guess: -guess.score))


def is_sure(found: tuple[Guess, ...]) -> bool:
    """Whether the first guess scores well above the second."""
    return len(found) == 1 or found[0].score - found[1].score >= _SURE_MARGIN


def confidence(found: tuple[Guess, ...]) -> float:
    """From 0 to 1: how far the first guess stands above the second."""
    margin = 1.0 if len(found) == 1 else found[0].score - found[1].score
    return round(max(0.0, min(1.0, margin / (2 * _SURE_MARGIN))), 2)


def _preview(text: str) -> str:
    lines = [line.strip()[:80] for line in text.splitlines() if any(ord(char) > 127 for char in line)]
    return "\n".join(lines[:_PREVIEW_LINES])


def _latin_score(text: str) -> float:
    """Accented letters stand alone between others; two in a row are rare."""
    runs = re.findall(r"[^\x00-\x7f]+", text)
    weight = sum((1.0 if len(run) == 1 else 0.3) * sum(char in _LATIN for char in run) for run in runs)
    return weight / max(1, sum(map(len, runs)))


def _cyrillic_score(text: str) -> float:
    """Words of Cyrillic letters alone, capitals at their beginnings only or throughout."""
    weight = sum(
        1.0 if char in _OFTEN_CYRILLIC else 0.6
        for word in _CYRILLIC_WORD.findall(text)
        if len(word) > 1 and (word[1:].islower() or word.isupper())
        for char in word.lower()
    )
    return weight / max(1, sum(ord(char) > 127 for char in text))


def _lead(char: str, encoding: str) -> int:
    """The first byte of the character, 0 where the encoding does not have it."""
    try:
        code = char.encode(encoding)
    except UnicodeEncodeError:
        return 0
    return code[0] if len(code) == 2 else 0


def _is_mark(char: str) -> bool:
    """Whether it is East Asian punctuation or a full-width character."""
    return "\u3000" <= char <= "\u3020" or "\uff01" <= char <= "\uff5e"


def _in(common: frozenset[str], encoding: str, first: int, last: int) -> Callable[[str], float]:
    """1 for common characters, 0.6 for those that the standard keeps in its first level."""

    def weight(char: str) -> float:
        if char in common:
            return 1.0
        return 0.6 if _is_mark(char) or first <= _lead(char, encoding) <= last else 0.0

    return weight


def _japanese(char: str) -> float:
    if "\u3041" <= char <= "\u30fc" or char in _JAPANESE:
        return 1.0
    return 0.6 if _is_mark(char) or 0x88 <= _lead(char, "shift_jis") <= 0x97 else 0.0


def _korean(char: str) -> float:
    if char in _KOREAN:
        return 1.0
    return 0.65 if "\uac00" <= char <= "\ud7a3" and _lead(char, "euc_kr") else 0.3 if _is_mark(char) else 0.0


_WEIGHTS: dict[str, Callable[[str], float]] = {
    "gb18030": _in(_SIMPLIFIED, "gb2312", 0xB0, 0xD7),
    "big5": _in(_TRADITIONAL, "big5", 0xA4, 0xC6),
    "shift-jis": _japanese,
    "euc-kr": _korean,
}
