"""Numbers that a column spells in its own way."""

import pytest

from datasets.columns.spelt import spelt_numbers


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["3:27", "12:05", "2:30.5"], ["207", "725", "150.5"]),
        (["1:02:33", "0:59:59"], ["3753", "3599"]),
        (["00:41:23", "01:02:03"], ["2483", "3723"]),
        (["25:10", "07:59"], ["1510", "479"]),  # no hour of a clock
        (["08:30", "17:45"], []),
        (["8:30", "09:15"], []),
        (["0:45", "3:05"], ["45", "185"]),
        (["05:59:59", "00:10:00"], ["21599", "600"]),
        (["06:00:00", "00:10:00"], []),
        (["23:10", "07:59"], []),
        (["24:10", "07:59"], ["1450", "479"]),
        (["00:41:23", "17:02:03"], []),
        (["10:30", "17:45"], []),
        (["8:30 am", "9:45 pm"], []),
        (["3:27", "12:75"], []),
        (["1h 6m", "56m", "2h"], ["3960", "3360", "7200"]),
        (["1 hr 20 min", "45 mins", "1d 2h"], ["4800", "2700", "93600"]),
        (["2m 5s", "50 sec."], ["125", "50"]),
        (["56m", "60m"], []),
        (["1h 6m", "tall"], []),
        (["£700K", "£1.4M", "900"], ["700000", "1400000", "900"]),
        (["1,250k", "2.5m"], ["1250000", "2500000"]),
        (["1,5M", "12,5 bn"], ["1500000", "12500000000"]),
        (["12 M", "15 M"], []),  # of one size: metres, perhaps
        (["700K", "1.4M", "much"], []),
        (["0.4 g", "7.5 mg", "3µg", "2 kg"], ["0.4", "0.0075", "3e-06", "2000"]),
        (["1.5m", "80 cm", "1,200 mm"], ["1.5", "0.8", "1.2"]),
        (["5 g", "7 g"], []),  # of one unit, which other code takes off
        (["5 g", "7 ml"], []),
        (["5 mg", "7 g", "some"], []),
        (["5 - fully", "3", "1 - not"], ["5", "3", "1"]),
    ],
)
def test_numbers_are_read_as_a_column_spells_them(cells, numbers):
    found = spelt_numbers(cells)
    assert [found.get(cell, cell) for cell in cells] == (numbers or cells)


def test_one_cell_in_ten_may_be_another():
    times = [f"{k}:{k + 10}" for k in range(1, 10)]
    assert len(spelt_numbers([*times, "too long"])) == 9
    assert spelt_numbers([*times[:8], "too long"]) == {}
