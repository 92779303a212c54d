"""Headers of tables that many people try first: the right label is proposed, without a question where it can be."""

import numpy as np
import pytest

from datasets.proposals import apply, propose
from tests.datasets.proposals.tables import table_of

N = 400
# A column is its name and what it holds: f for numbers with digits, i12 for whole numbers below 12, words, or id.
HEADERS = {
    "stroke": "id:id gender:M|F age:f hypertension:i2 heart_disease:i2 work_type:Private|Govt smoking_status:yes|no "
    "stroke:i2",
    "booking_status": "Booking_ID:id type_of_meal_plan:a|b lead_time:i300 market_segment_type:on|off price:f "
    "booking_status:Canceled|Kept",
    "is_canceled": "hotel:Resort|City is_canceled:i2 lead_time:i300 market_segment:on|off customer_type:a|b adr:f",
    "RainTomorrow": "Location:Sydney|Perth MinTemp:f Wind:N|E|S RainToday:Yes|No RainTomorrow:Yes|No",
    "left": "satisfaction_level:f projects:i6 Work_accident:i2 left:i2 promotion:i2 sales:it|hr salary:low|high",
    "Outcome": "Pregnancies:i16 Glucose:i120 BMI:f Age:i60 Outcome:i2",
    "origin": "mpg:f cylinders:i5 model_year:i12 origin:usa|japan|europe name:id",
    "Customer_Segment": "Alcohol:f Ash:f Hue:f Customer_Segment:i3",
    "default payment next month": "ID:id LIMIT:i5000 SEX:i2 EDUCATION:i4 PAY_0:i8 default__payment__next__month:i2",
    "Machine failure": "UDI:id Type:L|M|H temp:f torque:f Machine__failure:i2",
    "Activity": "f1:f f2:f subject:i30 Activity:WALK|SIT|STAND",
    "label": "label:i10 pixel0:i255 pixel1:i255 pixel2:i255",
    "NObeyesdad": "Gender:M|F Age:f family_history:yes|no SMOKE:yes|no NObeyesdad:Normal|Obese|Thin",
    "Attrition_Flag": "CLIENTNUM:id Attrition_Flag:Stays|Left Age:i50 Card_Category:Blue|Gold Income_Category:a|b",
    "fetal_health": "baseline:i60 acceleration:f fetal_health:1.0|2.0|3.0",
    "satisfaction": "id:id Gender:M|F Customer_Type:a|b Class:Eco|Business Delay:i50 satisfaction:yes|neutral",
}
ASKED = {
    "RainTomorrow",
    "Machine failure",
    "NObeyesdad",
    "satisfaction",
    "booking_status",
    "is_canceled",
    "left",
    "origin",
}


def column(what: str, rng: np.random.Generator) -> list[str]:
    if what == "f":
        return [f"{value:.2f}" for value in rng.normal(5, 2, N)]
    if what == "id":
        return [f"C{k}" for k in rng.permutation(N)]
    if what[1:].isdigit():
        return [str(k) for k in rng.integers(0, int(what[1:]), N)]
    words = what.split("|")
    return [words[k] for k in rng.integers(0, len(words), N)]


@pytest.mark.parametrize("label", HEADERS)
def test_the_right_label_is_taken_or_among_the_answers(label):
    rng = np.random.default_rng(1)
    pairs = [pair.split(":") for pair in HEADERS[label].split()]
    plan = apply(propose(table_of(**{name: column(what, rng) for name, what in pairs})))
    assert plan.ready == (label not in ASKED)
    assert label in ([answer.text for answer in plan.questions[0].answers] if label in ASKED else [plan.label.name])


@pytest.mark.parametrize(
    ("header", "not_the_label"),
    [
        ("carat:f cut:Fair|Good|Ideal color:D|E|F depth:f price:i9000 x:f y:f z:f", "y"),
        ("Sex:M|F|I Length:f Diameter:f Rings:i28", ""),
        ("total_bill:f tip:f sex:M|F smoker:Yes|No day:Sun|Sat size:i6", "sex"),
    ],
)
def test_where_nothing_names_a_label_it_is_asked(header, not_the_label):
    rng = np.random.default_rng(2)
    pairs = [pair.split(":") for pair in header.split()]
    plan = apply(propose(table_of(**{name: column(what, rng) for name, what in pairs})))
    assert not plan.ready
    assert plan.questions[0].key == "label"
    assert plan.label.name != not_the_label
