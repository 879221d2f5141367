"""Logs of attempts and builders fitted to them: likelihoods against plain sums, intervals against known truths."""

import json
import math
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from mess.solver.errors import InputError
from mess.solver.meeples import likelihood
from mess.solver.meeples.attempts import Log, read_log, simulate, write_log
from mess.solver.meeples.builder import NAMES, PACES, builtin, read_builder, write_toml
from mess.solver.meeples.fit import fit
from mess_command import mess
from scipy import stats

HEADER = "row,pace,seconds,outcome,fallen_to\n"
EMPTY = "log: expected a header row,pace,seconds,outcome,fallen_to and attempts; there is"
STEADY = builtin("steady")


def made(builder, attempts, seed, **options):
    return simulate(builder, attempts, np.random.default_rng(seed), **options)


def logged(text):
    """The log of some attempts without a header, separated by blanks."""
    return read_log(HEADER + "\n".join(text.split()))[0]


def true_value(builder, name):
    value = builder.to_dict()
    for part in name.split("."):
        value = value[part]
    return value


def found(fitted):
    return {part.name: part for part in fitted.parameters}


def holds(part, value):
    return part.low <= value <= (math.inf if part.high is None else part.high)


# logs


@pytest.mark.parametrize("name", NAMES)
def test_made_up_attempts_are_those_of_the_model(name):
    builder = builtin(name)
    log = made(builder, 200_000, 1, highest=6, jitter=0.0)
    for row in range(1, 7):
        for pace in range(2):
            here = (log.row == row) & (log.pace == pace)
            n, slipped = here.sum(), here & (log.fallen_to > 0)
            chance = builder.slips(row, pace)
            assert abs(n - 200_000 / 12) < 5 * math.sqrt(200_000 / 12)
            assert abs(slipped.sum() - n * chance) <= 5 * math.sqrt(n * chance)
            assert set(log.seconds[here & ~slipped]) == {builder.ticks(row, pace) / 4}
            assert set(log.seconds[slipped]) <= {(builder.ticks(row, pace) + builder.clear) / 4}
        falls = log.fallen_to[(log.row == row) & (log.fallen_to > 0)]
        expected = builder.falls(row) if row > 1 else {}
        assert set(falls.tolist()) <= set(expected)
        for to, chance in expected.items():
            assert abs((falls == to).sum() - len(falls) * chance) <= 5 * math.sqrt(len(falls) * chance)


def test_jitter_is_the_spread_around_the_median():
    log = made(STEADY, 50_000, 2, highest=1, jitter=0.2)
    off = np.log(log.seconds / np.where(log.pace == 0, 1.5, 3.0))
    assert abs(np.median(off)) < 0.01
    assert abs(off.std() - 0.2) < 0.005


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name):
    log = made(builtin(name), 300, 3, highest=12)
    again, ignored = read_log(write_log(log))
    assert ignored == []
    for part, same in zip(log, again, strict=True):
        assert part.dtype == same.dtype
        np.testing.assert_array_equal(part, same)


def test_columns_in_any_order_and_blanks():
    log, ignored = read_log(
        'note, outcome,pace,fallen_to ,seconds,row,x\r\n"a, b", slip ,quick,2,3.5,"3",\r\n\r\n,ok,careful,,1e1,01,\r\n'
    )
    assert ignored == ["note", "x"]
    assert [part.tolist() for part in log] == [[3, 1], [0, 1], [3.5, 10.0], [2, 0]]


WRONG = {
    "empty": ("", f"{EMPTY} nothing"),
    "blank": (" \n\n", f"{EMPTY} nothing"),
    "header": (
        HEADER,
        f"{EMPTY} only a header",
    ),
    "no header": ("1,quick,1.5,ok,\n", "line 1: row: expected this column in the header, it is missing"),
    "column": ("row,pace,seconds,outcome\n", "line 1: fallen_to: expected this column in the header, it is missing"),
    "semicolons": (HEADER.replace(",", ";"), "line 1: row: expected this column in the header, it is missing"),
    "twice": ("row,row,pace,seconds,outcome,fallen_to", "line 1: row: expected this column once, it is there twice"),
    "row 0": ("0,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '0'"),
    "row 100": ("100,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '100'"),
    "row -1": ("-1,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '-1'"),
    "row 1.0": ("1.0,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '1.0'"),
    "row 1_0": ("1_0,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '1_0'"),
    "no row": (",quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got ''"),
    "other digits": ("٣,quick,1.5,ok,", "line 3: row: expected a whole number from 1 to 99, got '٣'"),
    "pace": ("1,Quick,1.5,ok,", "line 3: pace: expected one of quick, careful, got 'Quick'"),
    "no time": ("1,quick,0,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got '0'"),
    "negative": ("1,quick,-1,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got '-1'"),
    "infinite": ("1,quick,inf,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got 'inf'"),
    "NaN": ("1,quick,nan,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got 'nan'"),
    "word": ("1,quick,1.5s,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got '1.5s'"),
    "underscore": ("1,quick,1_5,ok,", "line 3: seconds: expected a number of more than 0 and at most 600, got '1_5'"),
    "outcome": ("1,quick,1.5,fell,", "line 3: outcome: expected one of ok, slip, got 'fell'"),
    "slip in row 1": ("1,quick,1.5,slip,1", "line 3: outcome: expected ok in row 1, got 'slip'"),
    "no fall": ("4,quick,1.5,slip,", "line 3: fallen_to: expected one of 2, 3, 4 after a slip, got ''"),
    "below": ("4,quick,1.5,slip,1", "line 3: fallen_to: expected one of 2, 3, 4 after a slip, got '1'"),
    "above": ("4,quick,1.5,slip,5", "line 3: fallen_to: expected one of 2, 3, 4 after a slip, got '5'"),
    "between": ("7,quick,1.5,slip,4", "line 3: fallen_to: expected one of 2, 5, 6, 7 after a slip, got '4'"),
    "row 2": ("2,quick,1.5,slip,3", "line 3: fallen_to: expected one of 2 after a slip, got '3'"),
    "ok and fall": ("4,quick,1.5,ok,3", "line 3: fallen_to: expected nothing after ok, got '3'"),
    "short": ("4,quick,1.5,ok", "line 3: expected 5 fields, as in the header; got 4"),
    "decimal comma": ("4,quick,1,5,ok,", "line 3: expected 5 fields, as in the header; got 6"),
    "quotes": ('4,"quick,1.5,ok,', "line 3: expected CSV; unexpected end of data"),
    "bytes": (b"4,quick,\xff,ok,", "standard input: expected UTF-8 text; it is not, in line 3"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_log(name):
    """A case of one line comes after a header and a right one."""
    text, line = WRONG[name]
    if "line 3" in line:
        before = f"{HEADER}1,quick,1.5,ok,\n"
        text = before + text if isinstance(text, str) else before.encode() + text
    assert mess("meeples", "fit", "-", stdin=text) == (2, "", f"mess: {line}\n")


def test_byte_order_mark_is_no_column():
    assert mess("meeples", "fit", "-", stdin=f"\ufeff{HEADER}1,quick,1.5,ok,\n").code == 0


def test_field_of_a_wrong_line():
    with pytest.raises(InputError) as caught:
        read_log(HEADER + "\n\n1,slow,1.5,ok,")
    assert caught.value.field == "line 4: pace"


# likelihood


def naive_log_likelihood(log, theta, spread):
    """Of a log, straight from the builder model; ``theta`` by name, with any seconds."""
    builder = replace(
        STEADY,
        slip=tuple(theta[f"slip.{pace}"] for pace in PACES),
        power=theta["slip.power"],
        fall=tuple(theta[f"fall.{name}"] for name in ("same", "one", "two", "floor")),
    )
    total = 0.0
    for row, pace, seconds, fallen_to in zip(*(part.tolist() for part in log), strict=True):
        slip = builder.slips(row, pace)
        time = theta[f"place_seconds.{PACES[pace]}"] + theta["row_seconds"] * (row - 1)
        if fallen_to:
            time += theta["clear_seconds"]
            total += math.log(slip) + math.log(builder.falls(row)[fallen_to])
        else:
            total += math.log1p(-slip)
        total += stats.lognorm.logpdf(seconds, spread, scale=time)
    return total


def test_estimates_are_the_top_of_the_likelihood_of_the_model():
    log = made(builtin("beginner"), 250, 5)
    fitted = fit(log, STEADY)
    theta = {name: part.estimate for name, part in found(fitted).items() if name != "hit"}
    off = fitted.spread * math.sqrt((250 - 4) / 250)
    top = naive_log_likelihood(log, theta, off)
    assert fitted.log_likelihood == pytest.approx(top, abs=0.02)
    for name in theta:
        for factor in (0.97, 1.03):
            other = theta | {name: theta[name] * factor}
            if name.startswith("fall."):
                total = sum(other[fall] for fall in other if fall.startswith("fall."))
                other |= {fall: other[fall] / total for fall in other if fall.startswith("fall.")}
            assert naive_log_likelihood(log, other, off) < top, name


def test_share_has_the_likelihood_interval_of_its_counts():
    fitted = found(fit(logged("6,quick,5,slip,6 " * 7 + "6,quick,5,slip,5 " * 13), STEADY))
    low, high = fitted["fall.same"].low, fitted["fall.same"].high
    top = stats.binom.logpmf(7, 20, 7 / 20)
    assert fitted["fall.same"].estimate == pytest.approx(7 / 20)
    for end in (low, high):
        assert 2 * (top - stats.binom.logpmf(7, 20, end)) == pytest.approx(stats.chi2.ppf(0.95, 1), rel=1e-2)
    # 20 times none: beyond the end that has a chance below 5 %
    assert fitted["fall.floor"].low == 0.0
    assert (1 - fitted["fall.floor"].high) ** 20 == pytest.approx(0.05, rel=1e-2)


def test_times_have_the_interval_of_a_regression_on_logarithms():
    log = logged("1,quick,1.4,ok, 1,quick,1.6,ok, 1,quick,1.7,ok, 1,quick,1.5,ok, 1,quick,1.45,ok,")
    part = found(fit(log, STEADY))["place_seconds.quick"]
    logs = np.log(log.seconds)
    low, high = stats.t.interval(0.95, 4, logs.mean(), stats.sem(logs))
    assert part.estimate == pytest.approx(math.exp(logs.mean()), rel=1e-4)
    assert (part.low, part.high) == (
        pytest.approx(math.exp(low), rel=1e-3),
        pytest.approx(math.exp(high), rel=1e-3),
    )


def test_large_log_gives_the_builder_back():
    for name in NAMES:
        builder = builtin(name)
        fitted = fit(made(builder, 20_000, 6), STEADY)
        assert fitted.builder.to_dict() | {"hit": 0, "slip": 0, "fall": 0} == builder.to_dict() | {
            "hit": 0,
            "slip": 0,
            "fall": 0,
        }
        assert fitted.builder.fall == pytest.approx(builder.fall, abs=0.04)
        assert fitted.builder.power == pytest.approx(builder.power, abs=0.2)
        assert fitted.spread == pytest.approx(0.1, rel=0.03)
        assert read_builder(fitted.builder.to_dict()) == fitted.builder


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    """Of 40 logs an interval of 95 % misses more than 6 once in a hundred times; the seeds are fixed."""
    hits: dict[str, int] = {}
    for seed in range(40):
        builder = builtin(NAMES[seed % len(NAMES)])
        for part in fit(made(builder, 500, 100 + seed), STEADY).parameters[:-1]:
            hits[part.name] = hits.get(part.name, 0) + holds(part, true_value(builder, part.name))
    assert min(hits.values()) >= 34, hits
    assert sum(hits.values()) >= 0.92 * 40 * len(hits), hits


# what a log leaves open

BOUNDARY = {
    # attempts, what they determine
    "one attempt": ("1,quick,1.5,ok,", {"place_seconds.quick"}),
    "only row 1": ("1,quick,1.5,ok, 1,careful,3,ok, " * 5, {"place_seconds.quick", "place_seconds.careful"}),
    "no slips": (
        "3,quick,2,ok, 2,careful,3.25,ok, 1,careful,3.1,ok, " * 6,
        {"place_seconds.quick", "place_seconds.careful", "row_seconds", "slip.quick", "slip.careful"},
    ),
    "one pace": (
        "1,quick,1.5,ok, 3,quick,2,ok, 3,quick,4,slip,2 5,quick,2.5,ok, 5,quick,4.4,slip,4 " * 4,
        {"place_seconds.quick", "row_seconds", "clear_seconds", "slip.quick", "slip.power", "fall.same"}
        | {"fall.one", "fall.two", "fall.floor"},
    ),
    # there (row - 1) ** b is 1
    "only row 2": ("2,quick,1.75,ok, 2,quick,3.75,slip,2 " * 6, {"clear_seconds", "slip.quick"}),
    "only row 3": (
        "3,quick,2,ok, 3,quick,1.9,ok, 3,quick,4,slip,3 3,quick,4.1,slip,2 " * 6,
        {"clear_seconds", "fall.same"},
    ),
    "one row, always its own": (
        "3,quick,2,ok, 3,quick,4,slip,3 " * 4,
        {"clear_seconds", "fall.same", "fall.one", "fall.two", "fall.floor"},
    ),
    "only slips": (
        "5,quick,4,slip,3 3,quick,3.6,slip,3 " * 4,
        {"row_seconds", "slip.quick", "fall.same", "fall.one", "fall.two", "fall.floor"},
    ),
    "one slip": ("9,careful,9,slip,2", {"slip.careful", "fall.same", "fall.one", "fall.two", "fall.floor"}),
    "what is assumed does not fit": (
        "1,quick,1,ok, 2,quick,1,slip,2 " * 5,
        {"place_seconds.quick", "slip.quick"},
    ),
    "no order": (
        "99,quick,600,slip,2 99,careful,0.001,ok, 1,quick,1e-300,ok, 50,quick,600,slip,50",
        {"place_seconds.quick", "place_seconds.careful", "row_seconds", "clear_seconds", "slip.quick"}
        | {"slip.careful", "fall.same", "fall.one", "fall.two", "fall.floor"},
    ),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", BOUNDARY)
def test_what_a_log_determines(name):
    text, known = BOUNDARY[name]
    base = builtin("beginner")
    fitted = fit(logged(text), base)
    parts = found(fitted)
    assert {part for part in parts if parts[part].estimate is not None} == known
    for part in fitted.parameters:
        assert 0.0 <= part.low <= (math.inf if part.high is None else part.high)
        assert holds(part, part.used)
        assert part.estimate in (None, part.used)
    assert parts["hit"].used == base.hit
    assert all(math.isfinite(part.used) for part in fitted.parameters)
    assert math.isfinite(fitted.log_likelihood)
    assert read_builder(fitted.builder.to_dict()) == fitted.builder
    json.dumps(fitted.to_dict(), allow_nan=False)


def test_nothing_slipped():
    parts = found(fit(logged("2,quick,1.75,ok, " * 30), STEADY))
    assert (parts["slip.quick"].estimate, parts["slip.quick"].low) == (0.0, 0.0)
    assert math.exp(-parts["slip.quick"].high * 30) == pytest.approx(0.05, rel=1e-2)
    assert parts["slip.power"][1:] == (None, 0.0, None, 1.5)
    assert parts["slip.careful"][1:] == (None, 0.0, None, pytest.approx(0.006))


def test_everything_slipped():
    parts = found(fit(logged("2,quick,3.75,slip,2 " * 5), STEADY))
    assert parts["slip.quick"].high is None
    assert (1 - math.exp(-parts["slip.quick"].low)) ** 5 == pytest.approx(0.05, rel=1e-2)


def test_one_row_ties_numbers_together():
    fitted = fit(logged("3,quick,2,ok, 3,quick,4,slip,3 3,quick,4,slip,2 3,quick,2,ok, " * 5), STEADY)
    parts = found(fitted)
    # row_seconds is assumed, place_seconds is what is then most likely
    assert parts["row_seconds"].used == 0.25
    assert parts["place_seconds.quick"].used == pytest.approx(1.5, abs=1e-3)
    assert fitted.builder.slips(3, 0) == pytest.approx(0.5, abs=1e-4)
    assert fitted.builder.power == STEADY.power
    # none of the three is more than all that falls lower
    highs = [parts[f"fall.{name}"].high for name in ("one", "two", "floor")]
    assert highs == pytest.approx([1 - parts["fall.same"].low] * 3, abs=1e-3)


def test_order_and_number_of_attempts_do_not_matter_to_estimates():
    log = made(STEADY, 200, 8)
    order = np.random.default_rng(0).permutation(400) % 200
    once, twice = found(fit(log, STEADY)), found(fit(Log(*(part[order] for part in log)), STEADY))
    for name, part in once.items():
        assert twice[name].used == pytest.approx(part.used, rel=1e-3)
        assert part.low <= twice[name].low + 1e-3


ODD = replace(STEADY, place=(2400, 1), row=2400, slip=(100.0, 0.0), power=10.0, fall=(0.0, 0.0, 0.0, 1.0))


def test_base_matters_only_to_what_is_left_open():
    log = made(STEADY, 150, 9, highest=20)
    for part, other in zip(fit(log, STEADY).parameters[:-1], fit(log, ODD).parameters[:-1], strict=True):
        assert other[1:] == (*(pytest.approx(value, rel=1e-3, abs=1e-4) for value in part[1:]),), part.name


# commands


FEW = "slips are few: the intervals tell how little they say; 20 or more are better"


def test_simulate_then_fit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = mess("meeples", "simulate", "--attempts", 150, "--seed", 4, "--builder", "beginner", "--highest", 6)
    assert (log.code, log.err, len(log.lines)) == (0, "", 151)
    again = mess("meeples", "simulate", "--attempts", 150, "--seed", 4, "--builder", "beginner", "--highest", 6)
    assert again == log
    assert mess("meeples", "simulate", "--attempts", 150, "--seed", 5) != log
    result = mess("meeples", "fit", "-", "--out", "mine.toml", stdin=log.out)
    assert (result.code, result.err) == (0, f"mess: warning: 12 {FEW}\n")
    assert result.lines[0].startswith("150 attempts, ")
    assert [line.split()[0] for line in result.lines[2:]] == [
        "place_seconds.quick",
        "place_seconds.careful",
        "row_seconds",
        "clear_seconds",
        "slip.quick",
        "slip.careful",
        "slip.power",
        "fall.same",
        "fall.one",
        "fall.two",
        "fall.floor",
        "hit",
    ]
    assert result.lines[-1].split() == ["hit", "not", "determined", "0.05"]
    told = json.loads(mess("meeples", "fit", "-", "--json", stdin=log.out).out)
    assert told["attempts"] == 150
    assert told["builder"] == tomllib.loads((tmp_path / "mine.toml").read_text())
    assert 'Not determined by them, from "steady": hit.' in (tmp_path / "mine.toml").read_text()
    assert mess("meeples", "simulate", "--builder", "mine.toml", "--attempts", 3, "--out", "log.csv").out == ""
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 4


def test_fit_shows_one_sided_intervals_and_warns_of_columns():
    text = "row,pace,seconds,outcome,fallen_to,hand\n" + "2,quick,1.75,ok,,left\n" * 10
    result = mess("meeples", "fit", "-", "--base", "expert", stdin=text)
    ignored = "mess: warning: ignored fields that nothing here knows: 'hand'\n"
    assert result.err == f"{ignored}mess: warning: 0 {FEW}\n"
    table = {line.split()[0]: line.split()[1:] for line in result.lines[2:]}
    assert table["slip.quick"] == ["0", "at", "most", "0.2996", "0"]
    assert table["slip.careful"] == ["not", "determined", "0.003"]
    assert table["hit"] == ["not", "determined", "0.02"]


def test_drawn_seed_is_told():
    result = mess("meeples", "simulate", "--attempts", 5)
    seed = result.err.removeprefix("seed ").strip()
    assert mess("meeples", "simulate", "--attempts", 5, "--seed", seed) == (0, result.out, "")


def test_meeples_alone_is_its_help():
    assert mess("meeples") == mess("meeples", "--help")


GOOD = STEADY.to_dict()
NO_FILE = "expected a file that can be read; no such file or directory"
OPTIONS = {
    "builder": ("--builder x", "builder: expected one of steady, beginner, expert, or a file *.toml; got 'x'"),
    "no file": ("--builder x.toml", f"x.toml: {NO_FILE}"),
    "no TOML": ("--builder no.toml", "no.toml: expected TOML; expected '=' after a key in a key/value pair"),
    "bytes": ("--builder bytes.toml", "bytes.toml: expected UTF-8 text; it is not, in line 2"),
    "deep": ("--builder deep.toml", "deep.toml: expected TOML that is less deeply nested"),
    "field": ("--builder hit.toml", "hit.toml: hit: expected a number from 0 to 1, got 2.0"),
    "no field": ("--builder empty.toml", "empty.toml: place_seconds: expected this field, it is missing"),
    "inner field": ("--builder slip.toml", "slip.toml: slip.power: expected a number from 0 to 10, got nan"),
    "attempts": ("--attempts 0", "attempts: expected a whole number of at least 1, got 0"),
    "many": ("--attempts 1000001", "attempts: expected a whole number of at most 1000000, got 1000001"),
    "highest": ("--highest 100", "highest: expected a whole number of at most 99, got 100"),
    "jitter": ("--jitter nan", "jitter: expected a number from 0 to 1, got nan"),
    "out": ("--seed 1 --out no/log.csv", "out: expected a file that can be written, no/log.csv: {}"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_wrong_options_of_simulate(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good = write_toml(STEADY)
    files = {
        "no": "hit 3 = 4",
        "bytes": b"# \n# \xff",
        "deep": "hit = " + "[" * 100_000,
        "hit": good.replace("hit = 0.05", "hit = 2.0"),
        "empty": "",
        "slip": good.replace("power = 1.5", "power = nan"),
    }
    for file, content in files.items():
        (tmp_path / f"{file}.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments, line = OPTIONS[name]
    line = line.format("no such file or directory")
    result = mess("meeples", "simulate", *arguments.split())
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"mess: {line}")


def test_assumptions_leave_the_rest_determined():
    design = np.array([[1.0, 0.0, 2.0], [1.0, 0.0, 2.0]])
    assert likelihood.determined(design) == [False, False, False]
    assert likelihood.to_assume(design, (2, 0, 1)) == [2, 1]
    assert likelihood.to_assume(design, (0, 2, 1)) == [0, 1]
    assert likelihood.determined(np.zeros((0, 2))) == [False, False]
