"""Short names of the months, as dates and names of samples have them."""

_NAMES = (
    "jan ene gen janv янв",
    "feb fev fév févr фев",
    "mar mär mrz mrt mars мар",
    "apr abr avr avril апр",
    "may mai maj mag mei май мая",
    "jun jui giu juin июн",
    "jul lug juil июл",
    "aug ago aoû août авг",
    "sep set sept сен",
    "oct okt out ott окт",
    "nov ноя",
    "dec dez dic déc дек",
)
MONTHS = {name: month for month, names in enumerate(_NAMES, start=1) for name in names.split()}
