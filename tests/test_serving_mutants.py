"""Messages that are wrong in every way: each is answered once, and none does harm."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mess.benchmarks.serving import mutant, seeds_of_mutants
from mess.search.serving import service as serving
from mess.search.serving.limits import Limits
from mess.search.serving.service import Service
from mess.solver.game import deal
from serving import Asker, NoPool


@pytest.fixture
def asker(monkeypatch):
    monkeypatch.setattr(serving, "Pool", NoPool)
    return Asker(Service(Limits(pending=10**9)))


def check(asker, raw):
    """One answer, now or when the search that waits is done."""
    waiting = len(asker.service.pool.jobs)
    answer = asker.raw(raw)
    if answer is None:
        assert len(asker.service.pool.jobs) == waiting + 1
        asker.service.pool.jobs[-1].failed("server", "expected a search")
        answer = asker.later.get_nowait()
    assert ("error" in answer) != ("type" in answer)
    assert "this is a fault" not in str(answer.get("error")), (raw, answer)
    assert asker.later.empty()
    return answer


@pytest.mark.parametrize("seed", range(4))
def test_mutated_messages_are_answered(asker, seed, capfd):
    rng, seeds = random.Random(seed), seeds_of_mutants()
    view = deal("pylos", 0).to_dict()
    for id in range(700):
        raw = mutant(rng, seeds, id)
        answer = check(asker, raw)
        assert answer["id"] in (id, None) or str(answer["id"]).encode() in raw
        if id % 100 == 0:
            assert len(asker.fine("legal", view=view)["moves"]) == 16
    assert capfd.readouterr().err == ""


def test_mutants_are_of_many_kinds():
    rng, seeds = random.Random(5), seeds_of_mutants()
    made = [mutant(rng, seeds, id) for id in range(500)]
    assert len(set(made)) > 450
    assert not any(b"\n" in one or not one.strip() for one in made)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
TYPES = sorted({seed["type"] for seed in seeds_of_mutants()})
FIELDS = ("game_id", "view", "ply", "seat", "move", "bot", "record", "position", "rules", "options", "only", "count")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TYPES), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5))
def test_fields_of_any_shape_are_answered(type, fields):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "Pool", NoPool)
        asker = Asker(Service(Limits()))
        check(asker, json.dumps({"id": 1, "type": type, **fields}))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_answered(raw):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "Pool", NoPool)
        check(Asker(Service(Limits())), raw)
