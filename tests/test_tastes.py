"""Tastes: what they see of a move, and what that does to play."""

from collections import Counter
from importlib import import_module

import numpy as np
import pytest
from mess.search.bot import make
from mess.search.bots.taste import FEATURES, TasteBot, features
from mess.search.faces.flaming.events import events
from mess.solver.game import CHANCE, deal
from mess.solver.rng import stream
from test_events import table

DEALS = 3
TURNS = 60


def found(position, move):
    told = features(position.observe(0), events(position, move), 0)
    assert list(told) == list(FEATURES)
    return {name: value for name, value in told.items() if value}


@pytest.mark.parametrize(
    ("board", "move", "expected"),
    [
        ([["R60"]], "R40@0,1", {"weight": 0.4}),
        ([["R60", "B60"]], "R40@1,0", {"weight": 0.4, "height": 1}),
        ([["R6", "B60"]], "Y120@1,0", {"weight": 1.2, "height": 1, "falls": 1, "own_mess": 2}),
        ([["R6", "B4"]], "B7@1,0", {"weight": 0.07, "height": 1, "coals": 1, "fires": 1, "burnt": 2, "own_mess": 2}),
        ([["R60", "B7"]], "R7@1,0", {"weight": 0.07, "height": 1, "coals": 1, "explosions": 1, "own_mess": 1}),
    ],
)
def test_what_a_taste_sees_of_a_move(board, move, expected):
    told = found(
        table(board, sorted({move.partition("@")[0], "G20"}, key=["R40", "G20", "Y120", "R7", "B7"].index)), move
    )
    # what falls beside the fire is told by the rules' own events, counted elsewhere
    assert {name: told.get(name) for name in expected} == pytest.approx(expected)


def test_mess_of_others():
    position = table([["R60", "B60"]], ["G60"], rules={"curse": True})
    assert found(position, "G60@1,0")["others_mess"] == 3


def bot(taste, slack):
    return TasteBot("flaming", "x", "mcts", (60, None), {}, taste, slack)


WINS = {"R60@1,0": (100, 0.75), "G20@1,0": (100, 0.70), "B7@1,0": (100, 0.60)}


@pytest.mark.parametrize(
    ("taste", "slack", "few", "expected"),
    [
        ({"fires": 1.0}, 0.2, (), "B7@1,0"),
        ({"fires": 1.0}, 0.1, (), "R60@1,0"),
        ({"weight": -1.0}, 0.1, (), "G20@1,0"),
        ({"weight": -1.0}, 0.01, (), "R60@1,0"),
        ({"fires": 1.0}, 0.2, ("B7@1,0",), "R60@1,0"),
        ({"weight": 1.0}, 0.0, ("R60@1,0",), "G20@1,0"),
        ({"own_mess": 1.0}, 1.0, ("R60@1,0", "G20@1,0"), "B7@1,0"),
    ],
)
def test_taste_picks_among_what_is_within_the_slack(monkeypatch, taste, slack, few, expected):
    """Moves that were hardly looked at have no say, however good they seem."""
    view = table([["R6", "B4"]], ["R60", "G20", "B7"]).observe(0)
    assert view.moves() == list(WINS)
    rows = [(10 if move in few else visits, win) for move, (visits, win) in WINS.items()]
    statistics = np.array([(visits, visits * win) for visits, win in rows])
    # imported only now, the search would keep what stands in here
    import_module("mess.search.search")
    monkeypatch.setattr("mess.search.search.root_statistics", lambda *_, **__: statistics)
    assert bot(taste, slack).choose(view, stream(1)) == expected


def test_it_takes_a_win():
    view = table([["R60"]], ["R40"]).observe(0)
    assert bot({"height": 9.0}, 1.0).choose(view, stream(0)).startswith("R40@0,")


def events_of(name):
    """What the character brings about in both seats' places against a policy, over the same deals."""
    counted = Counter()
    for number in range(DEALS):
        position, seat = deal("flaming", number), number % 2
        bots = [make("smallest-mess", "flaming")] * 2
        bots[seat] = make(name, "flaming")
        streams = [stream(number, one) for one in range(3)]
        while not position.is_over and position.to_dict()["turns"] < TURNS:
            actor = position.to_act
            if actor == CHANCE:
                position = position.play(position.roll(streams[2]))
                continue
            move = bots[actor].choose(position.observe(actor), streams[actor])
            if actor == seat:
                told = events(position, move)
                counted.update(event.kind for event in told)
                counted["turns"] += told[0].kind == "place"
            position = position.play(move)
    return counted


def test_the_arsonist_lights_more_fires_than_the_mason():
    arsonist, mason = events_of("arsonist"), events_of("mason")
    assert arsonist["fire"] + arsonist["explosion"] > 2 * (mason["fire"] + mason["explosion"])
