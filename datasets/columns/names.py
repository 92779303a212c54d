"""What the name of a column says: a label, an identifier, a code, a person, a place, a time, an amount."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[^\x00-\x7f])(?=[A-Z]{2})")  # "heartDisease", "역ID"
_WORD = re.compile(r"[^\W_]+")
_NESTED = re.compile(r"(?:properties|fields|attributes)\.")  # of records of web interfaces

# How much a name speaks for a label, as the whole name; a name that only contains the word counts less.
_LABEL_WORDS = {
    6.0: "medv target targets label labels species survived churn churned attrition outcome diagnosis",
    5.5: (
        "class classes klasse classe clase klass klasa třída класс sınıf luokka exited ziel cible especie espèce "
        "espécie gatunek zielvariable diagnose diagnostico diagnóstico diagnoza diagnóza диагноз"
    ),
    5.0: (
        "satisfaction 意愿 满意度 満足度 만족도 "
        "类别 标签 种类 品种 类型 目标 類別 標籤 ラベル クラス 種類 品種 分類 诊断 診断 분류 종 레이블 "
        "클래스 품종 라벨 التصنيف الفئة"
    ),
    4.5: (
        "y dx disease quality fraud spam cultivar variety readmitted ergebnis resultado résultat risultato wynik "
        "výsledek результат 结果 結果 결과 classification stroke "
        "diabetes cancer died death dead deceased alive mortality recurrence relapse anomaly malware phishing dropout "
        "failure"
    ),
    3.5: (
        "victor elected 當選 当选 "
        "default defaulted response result category income approved deposit subscribed purchased bought converted "
        "clicked grade risk winner won severity sentiment genre breed activity gesture digit letter language subtype "
        "sorte condition fail failed passed admitted accepted hired left event attack "
        "satisfied canceled cancelled delayed decision přijat kategoria категория categoria categoría catégorie "
        "kategorie 등급"
    ),
    3.0: (
        "segment type kind typ art tipo soort rodzaj druh тип вид tür tyyppi laji loại النوع 区分 구분 status rating "
        "stage"
    ),
    2.0: "group gruppe groupe cluster treatment",
    -2.0: "sex gender geschlecht sexe unit units unité unidad einheit 单位 単位",
}
_PART_OF_A_NAME = 1.0
_MARK = 2  # letters
NAMES_A_LABEL = 5.0
_AS_JSON = re.compile(r"\{.*:.*\}", re.DOTALL)  # of Qualtrics, e.g. {"ImportId":"condition"}
_PART_IF_GENERAL = 2.0  # "smoking status" and "ring type" are features as often as not
_GENERAL = 3.0
_OF_A_FAMILY = 2  # columns
_KINDS = ("class", "klasse", "species", "label", "type", "tipo", "status")
_TARGETS = ("target", "targets")
_SURVIVAL = frozenset(("survival", "vital", "os", "pfs", "dfs", "dss"))  # before "status"
_BEFORE, _HISTORY = frozenset(("prior", "previous", "prev", "past", "former")), frozenset(("history", "anamnesis"))
_YES_OR_NO = 0.5
_A_QUESTION, _A_SHORT_NAME = 4, 3  # words
_COORDINATES = frozenset("xyz")
_ELEMENTS = frozenset(("zr", "nb", "sr", "rb", "th", "la", "ce", "nd", "eu", "dy", "yb", "zn", "cu"))  # beside yttrium
_FEWEST_ELEMENTS = 3
_IDEOGRAPHS = "\u2e80"
_LABEL_SCORES = {word: score for score, words in _LABEL_WORDS.items() for word in words.split()}
_RECORD_IDS = ("uuid", "guid", "fid", "oid", "gid", "uid", "pid")
_NAMES = {
    "time": "year jahr année month monat day tag time zeit date week hour t decade",
    "account": (
        "phone telephone telefon telefono teléfono telefone téléphone телефон cellulare fax tel "
        "zip zipcode postal postcode postleitzahl plz cep ssn isbn ean barcode account ticket invoice "
        "matricola matrícula "
        "order serial imei iban fips cp insee siret siren inn kpp"
    ),
    "postal": "zip zipcode postal postcode postalcode postleitzahl plz cep",
    "amount": (
        "population pop inhabitants einwohner bevölkerung población população habitants amount count total sum value "
        "price cost income revenue sales budget gdp area volume distance salary balance 人口 金额"
    ),
    "condition": "temperature temp pressure humidity temperatura température druck presión",
    "error": "delta error err errors sig sigma sd se sem std stderr stdev uncertainty unc rmse ci fehler erreur",
    "outcome": (
        "price prices cost sales yield score income revenue salary wage demand consumption loss accuracy rating "
        "crimes fitness reward turnout wahlbeteiligung účast ucast frekwencja affluenza participación participação "
        "preis kosten umsatz ertrag punkte prix coût ventes rendement precio costo ventas "
        "rendimiento puntaje preço preco custo vendas nota prezzo costo resa punteggio cena koszt sprzedaż plon wynik "
        "цена стоимость продажи урожайность итого оклад зарплата 价格 单价 总价 销量 产量 收入 価格 売上 収量 가격 매출"
    ),
    "label of numbers": (
        "medv target targets label labels outcome y quality satisfaction ziel cible zielvariable response result "
        "income grade risk severity sentiment rating mortality ergebnis resultado résultat risultato wynik výsledek "
        "результат 结果 結果 결과 目标 标签 標籤 ラベル 라벨 레이블"
    ),
    "id": " ".join(("id", "ids", "key", "identifier", "nbr", "isbn13", *_RECORD_IDS)),
    "person": (
        "patient subject person participant respondent speaker student user customer client donor writer proband "
        "driver rider player athlete employee "
        "teilnehmer participante sujeto uczestnik respondente sujet soggetto élève étudiant alumno alumna aluno aluna "
        "estudiante estudante paciente paziente pacjent pasient deltaker deltagare potilas пациент участник испытуемый "
        "被験者 被试 受试者 患者 피험자 환자"
    ),
    "measure": (
        "altitude latitude longitude size length width height weight depth duration age rate number count start end"
    ),
    "code": (
        "code kode codigo código cod kod codice koodi kód kódu cis schlüssel schluessel kennziffer 代码 编码 代碼"
        " コード 코드"
    ),
    "provenance": "reference references citation cite doi bibliography referencia référence quelle literature",
    "unit": "unit units unité unite unidad einheit jednostka jednotka unidade unità unita birim ед единица 单位 単位",
    "quantity": (
        "variable parameter indicator measure metric analyte component element merkmal kennzahl indikator indicador "
        "indicateur parametro parámetro paramètre variabel zmienna wskaźnik показатель indicatore componente composant "
        "nutrient nutriente species taxon gene otu asv compound metabolite lipid protein feature attribute 指标 指標 "
        "項目 지표 항목"
    ),
    "value": "value result valor valeur wert messwert valore wartość hodnota значение 値 数值 값",
    "number of": "numero número numéro nummer numer num nr no nu",
    "place": "plate well batch site hospital session plot block station center centre city county district village",
    "territory": (  # that official figures are told of
        "country countries state states region regions province provinces county counties municipality district city"
        " land länder bundesland kreis gemeinde stadt pays région département commune ville país estado uf provincia"
        " municipio región comuna ciudad paese regione comune provincia città kraj okres obec powiat gmina"
        " województwo kommune län fylke страна регион область район город 国家 省份 地区 城市 都道府県 市区町村"
        " 시도 시군구"
    ),
    "household": "household family animal",
    "thing": (
        "sample subsample specimen tree stem tag tank pot cage quadrat transect colony individual stimulus stimuli item"
        " pair twin"
    ),
    "part": "region zone",
    "repeat": (
        "trial run exec execution repeat repetition rep replicate iteration fold seed take wiederholung versuch "
        "durchgang repetición repeticion répétition repetição repeticao ripetizione powtórzenie opakování повтор"
    ),
    "about persons": (  # asked for in a survey
        "gender sex country nationality education faculty major occupation profession income religion ethnicity "
        "geschlecht beruf ausbildung bildungsabschluss studiengang género genero sexo carrera profesión ocupación "
        "escolaridad sexe métier diplôme gênero profissão sesso istruzione professione płeć wykształcenie zawód "
        "pohlaví vzdělání пол образование профессия 性别 学历 职业 专业 性別 職業 学年 성별 학력 직업"
    ),
    "coordinate": "ra dec lat lon lng long latitude longitude coordinates coord easting northing geometry x y z",
}
_NUMBERS_OF_THINGS = ("番号", "编号", "編號", "번호", "連番", "通し番")  # written without blanks
NAME_WORDS = {kind: frozenset(words.split()) for kind, words in _NAMES.items()}
_NUMBERED_THINGS = frozenset(("group", "class", "school")).union(
    *(NAME_WORDS[kind] for kind in ("person", "place", "territory", "household", "thing", "part", "repeat"))
)
_ID_NUMBERS = frozenset(("idnum", "idnr", "idno", "idnumber", "idnummer"))
# What a row describes, when a number follows: "Sample code number", "CLIENTNUM".
_ROW_NUMBER = re.compile(
    r"(?:account|address|asset|block|building|case|client|crime|cust|customer|driver|employee|encounter|entry|event|feature"
    r"|geo|global|incident|invoice|item|license|member|object|order|parcel|participant|passenger|patient|permit|person"
    r"|policy|product|record|respondent|route|sample|segment|specimen|station|street|student|subject|transaction|unique"
    r"|user|vehicle)"
    r"(?:code)?(?:id|key|nbr|no|nr|num|number|nummer|code|ref)"
)


# What programs of surveys, data portals and qPCR write beside the answers, in small letters; "!" behind what no other
# column is called.
_SURVEY_COLUMNS = tuple(
    frozenset(names.split(";"))
    for names in (
        "startdate;enddate;status;ipaddress;progress;duration (in seconds)!;finished!;recordeddate!;responseid!"
        ";recipientlastname;recipientfirstname;recipientemail;externalreference;locationlatitude;locationlongitude"
        ";distributionchannel!;userlanguage!",  # Qualtrics
        "submitdate!;lastpage!;startlanguage!;seed;startdate;datestamp;ipaddr;refurl;interviewtime!",  # LimeSurvey
        "response id;date submitted!;last page!;start language!;seed;date started;date last action!;ip address"
        ";referrer url!;total time!",  # LimeSurvey in words
        "antwort id!;datum abgeschickt!;letzte seite!;start-sprache!;zufallsgeneratorstartwert!;datum gestartet"
        ";datum letzte aktivität!;ip-adresse;referrer url!;weiterleitungs-url;gesamtzeit!",
        "id de la réponse!;date de soumission!;dernière page!;langue de départ!;tête de série!;date de lancement"
        ";date de la dernière action!;adresse ip;url référente!;temps total!",
        "id de respuesta!;fecha de envío!;última página!;lenguaje inicial!;semilla;fecha de inicio"
        ";fecha de la última acción!;dirección ip;url de referencia!;tiempo total!",
        "case;serial;ref;questnnr!;mode;started;language;time_sum;mailsent;lastdata;finished!;q_viewer;lastpage!;maxpage"
        ";missing;missrel;time_rsi",  # SoSci Survey
        "start;end;today;deviceid;subscriberid;simserial;phonenumber;username;_id;_uuid!;_submission_time!;_index;_status"
        ";_submitted_by;_validation_status;_notes;_tags;__version__",  # KoBo and ODK
        ":sid!;:id!;:position!;:created_at!;:created_meta!;:updated_at!;:updated_meta!;:meta!",  # Socrata
        "respondent id;collector id;start date;end date;ip address;email address;first name;last name;custom data 1"
        ";respondentid;collectorid;datecreated;datemodified",  # SurveyMonkey
        "ampnc!;badrox!;blfail!;cqconf;ctfail!;drnmin;expfail!;highsd!;mtp;noamp!;noise;nosignal!;offscale;outlierrg!"
        ";prfdrop!;prflow!;spike;tholdfail!",  # flags of StepOne and QuantStudio
    )
)
_FEWEST_OF_A_SURVEY = 4
_QUALITY, _FLAGS = frozenset(("qv", "qf", "qc")), frozenset(("flag", "flags"))


def about_the_recording(names: Collection[str]) -> frozenset[str]:
    """The names of columns that programs of surveys add and of flags of measurements, where there are several."""
    flags = _flags_of_measurements(names)
    found = set(flags) if len(flags) > 1 else set[str]()
    for known in _SURVEY_COLUMNS:
        only = {name for name in names if f"{name.strip().lower()}!" in known}
        there = {name for name in names if name.strip().lower() in known} | only
        found |= there if len(there) >= _FEWEST_OF_A_SURVEY or len(only) > 1 else set()
    return frozenset(found)


def _flags_of_measurements(names: Collection[str]) -> list[str]:
    """The names of flags: "QV:SEADATANET", "temp_qc", "Flag", and "Max Temp Flag" behind "Max Temp (°C)"."""
    words = {name: tuple(word for word in words_of(name) if not word.isdecimal()) for name in names}
    measured = {own[:k] for own in words.values() if _FLAGS.isdisjoint(own) for k in range(1, 1 + len(own))}
    ends = {name: own[:-1] for name, own in words.items() if own and own[-1] in _FLAGS}
    return [
        name
        for name, own in words.items()
        if not _QUALITY.isdisjoint(own) or (name in ends and (not ends[name] or ends[name] in measured))
    ]


_ON_A_PLATE = frozenset(("well", "plate", "plot", "field", "grid", "array"))
_AXES = (frozenset(("row", "fila", "ligne", "zeile")), frozenset(("column", "col", "columna", "colonne", "spalte")))


def places_on_a_plate(names: Collection[str]) -> frozenset[str]:
    """The names of a row and of a column of a plate or field, where both are there."""
    own = {name: set(words_of(name)) - _ON_A_PLATE for name in names}
    rows, columns = ({name for name, words in own.items() if len(words) == 1 and words <= kind} for kind in _AXES)
    return frozenset(rows | columns) if rows and columns else frozenset()


def bare_name(name: str) -> str:
    """The name without that of the record it stands in, as web interfaces nest them."""
    return _NESTED.sub("", name.strip(), count=1)


@lru_cache(maxsize=20_000)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in small letters: "HeartDisease" and "heart_disease" both give heart, disease."""
    return tuple(word.lower() for word in _WORD.findall(_CAMEL.sub(" ", bare_name(name))))


def label_score(name: str, others: Collection[str] = ()) -> float:
    """How much the name speaks for a label among the `others`; 0 where it says nothing."""
    words = words_of(name)
    if not words or words[-1] in _RECORD_IDS or _AS_JSON.fullmatch(name):
        return 0.0
    if len(words) == 1:
        is_one_of = {bare_name(other).lower() for other in others} if words[0] == "y" else set[str]()
        if is_one_of & (_COORDINATES - {"y"}) or len(is_one_of & _ELEMENTS) >= _FEWEST_ELEMENTS:
            return 0.0
        # Chinese, Japanese and Korean write words without blanks: 抑郁标签 ends with "label".
        parts = [score for word, score in _LABEL_SCORES.items() if word > _IDEOGRAPHS and words[0].endswith(word)]
        if not parts:  # "tipoaccidente", "tumortype"
            parts = [2 * _PART_OF_A_NAME for word in _KINDS if words[0].startswith(word) or words[0].endswith(word)]
        return _LABEL_SCORES.get(words[0]) or max(parts, default=_PART_OF_A_NAME) - _PART_OF_A_NAME
    words = words[:-1] if words[-1] == "id" else words  # "initial species id"
    # "class_label" and "is_fraud" say it at one of their ends, "default payment next month" too.
    ends = [_LABEL_SCORES.get(word, 0.0) for word in (words[0], words[-1]) if word != "y"]
    is_of_time = words[0] in NAME_WORDS["time"] and words[-1] not in _KINDS  # "DayDisease", but not "day type"
    is_of_time = is_of_time or (words[-1] in _TARGETS and not NAME_WORDS["time"].isdisjoint(words))  # a planned day
    is_measured = words[-1] in NAME_WORDS["measure"] | NAME_WORDS["condition"]  # "event_altitude", "target_temp"
    is_past = words[0] in _BEFORE or not _HISTORY.isdisjoint(words)
    if is_of_time or words[0] == "n" or is_measured or is_past:  # "nStroke"
        ends = [0.0]
    if words[-1] == "status" and not _SURVIVAL.isdisjoint(words):
        return NAMES_A_LABEL
    best = max(ends, default=0.0)
    if best <= 0:
        return 0.0 if asks_about_persons(name) else min(ends, default=0.0)
    if (
        sum(words_of(other)[:1] == words[:1] for other in others) >= _OF_A_FAMILY
        and _LABEL_SCORES.get(words[0]) == best
    ):
        best = min(best, _GENERAL)  # such as target_start, target_end and target_word
    asks = _YES_OR_NO if words[0] in ("is", "has") else 0.0
    return best + asks - (_PART_OF_A_NAME if best > _GENERAL else _PART_IF_GENERAL)


def could_name_numbers(name: str) -> bool:
    """Whether a label of that name may hold numbers that are measured, as "quality" and "price" do and "species" does
    not."""
    return names_kind("label of numbers", name) or names_kind("outcome", name)


def is_sibling(name: str, label: str) -> bool:
    """Whether the names are those of several labels, such as y1 and y2, or target_a and target_b."""
    one, other = (words_of(each) for each in (name, label))
    if any(len(word) > _MARK and not word.isdecimal() for word in (*one[1:], *other[1:])):
        return False  # "target_color" and "target_size" are of a target
    stem = one[0].rstrip("0123456789") if one else ""
    same = bool(other) and stem == other[0].rstrip("0123456789") and name != label
    return same and _LABEL_SCORES.get(stem, 0.0) >= NAMES_A_LABEL - 0.5


def asks_about_persons(name: str) -> bool:
    """Whether the name is a question of a survey about the person."""
    return len(words_of(name)) >= _A_QUESTION and names_kind("about persons", name)


def names_kind(kind: str, name: str) -> bool:
    """Whether a word of the name is one of this kind in _NAMES."""
    in_ideographs = (word for word in NAME_WORDS[kind] if word > _IDEOGRAPHS)
    return not NAME_WORDS[kind].isdisjoint(words_of(name)) or any(word in name for word in in_ideographs)


_CODE_ENDS = ("cod", "code", "kod", "schlüssel", "schluessel")


def names_code(name: str) -> bool:
    """Whether a word of the name says or ends with "code", as in "alim_code", "MUNCOD", "station_cd" and "PLZ", or
    "schlüssel"."""
    words = words_of(name)
    is_code = names_kind("code", name) or any(word.endswith(_CODE_ENDS) for word in words)
    return is_code or words[1:][-1:] == ("cd",) or names_kind("postal", name) or words == ("cap",)


_RECORDED = frozenset(("created", "submitted", "recorded", "entered", "added", "updated", "modified", "uploaded"))


def names_recorder(name: str) -> bool:
    """Whether a column of that name tells who wrote the row down, as "created_by" and "username" do."""
    words = words_of(name)
    return words == ("username",) or any(one in _RECORDED and other == "by" for one, other in pairwise(words))


_POINTS_IN_TIME = frozenset(
    ("time", "date", "datetime", "timestamp", "ts", "epoch", "updated", "created", "modified", "uploaded", "published")
)


def names_point_in_time(name: str) -> bool:
    """Whether the name is that of a point in time, as "created_at" and "timestamp" are, and "run time" may be."""
    words = words_of(name)
    return not _POINTS_IN_TIME.isdisjoint(words) or words[1:][-1:] == ("at",)


def names_groups(name: str) -> bool:
    """Whether a column of that name tells groups of rows apart, as "patients" and "site no" do."""
    words = {word.removesuffix("s") for word in words_of(name)}
    groups = NAME_WORDS["person"] | NAME_WORDS["place"] | NAME_WORDS["household"]
    numbering = NAME_WORDS["id"] | NAME_WORDS["number of"] | {"number", "code", "name"}
    return names_identifier(name) or (not words.isdisjoint(groups) and words <= groups | numbering)


def names_identifier(name: str) -> bool:
    """Whether the name is that of a number that identifies persons, samples or orders."""
    words = words_of(name)
    if words == ("key",):  # of a piece of music as often as not
        return False
    return (
        bool(words)
        and (
            words[-1].endswith(_NUMBERS_OF_THINGS)
            or words[-1] in NAME_WORDS["id"]
            or (words[0] == "id" and len(words) <= _A_SHORT_NAME)  # "idSitio", "id_nummer"
            or words[-1] in _ID_NUMBERS
            or any(_joins_id(word) for word in (words[0], words[-1]))
            or any(_ROW_NUMBER.fullmatch("".join(part)) for part in (words, words[-2:]))
        )
    )


def _joins_id(word: str) -> bool:
    """Whether the word is "id" and what it numbers, as "groupid" and "idstation" are and "humid" and "grid" are not."""
    is_last = word.endswith("id")
    thing = word[:-2] if is_last else word[2:]
    is_first = word.startswith("id") and not is_last
    return (is_first or is_last) and (thing in _NUMBERED_THINGS or _ROW_NUMBER.fullmatch(f"{thing}id") is not None)
