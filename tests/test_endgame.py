"""The endgame solver against brute force, against opponents that play on, and against what it may not claim."""

import json
import random
from itertools import chain, product

import numpy as np
import pytest
from mess.solver import game
from mess.solver.errors import InputError
from mess.solver.exact import table
from mess.solver.flaming import proof
from mess.solver.flaming.endgame import known_to_all, prove_moves, solve
from mess.solver.flaming.state import BEYOND, DIE, DTYPE, MAX_MOVES, OVER
from mess.solver.flaming.tiles import CODES, FITTING, INDEX
from mess.solver.game import legal, play, to_act
from mess.solver.jit import kernel
from mess.solver.position import Position, read, replay
from mess.solver.rng import stream
from reference import flaming

FIRES = ["G1", "Y1", "R7", "B7"]
OUTCOMES = {"win", "loss", "draw", "unknown"}


def stacked(seed, left, base, rows=9, players=2, turns=60, fires=False, **rules):
    """A sound pyramid on at least ``base`` tiles, with few must spots; the ``left`` other tiles are shared out."""
    rng = random.Random(seed)
    rules = {"preset": "bga", "curse": False, "special_fire": False} | rules
    tiles = [code for code in CODES if code not in FIRES]
    rng.shuffle(tiles)
    kept = rng.sample(FIRES, 1) if fires else []
    cells = {(0, c): tiles.pop() for c in range(base)}

    def matches(r, c):
        below = cells[r - 1, c], cells[r - 1, c + 1]
        cursed = rules["curse"] and flaming.weight(below[0]) == flaming.weight(below[1])
        return [
            code
            for code in tiles
            if int(FITTING[INDEX[below[0]], INDEX[below[1]]]) >> INDEX[code] & 1
            and not (cursed and flaming.weight(code) == flaming.weight(below[0]))
        ]

    while len(tiles) + len(kept) > left:
        spots = sorted(spot for spot in flaming.spots(cells, "bga") if 0 < spot[0] < rows)
        rng.shuffle(spots)
        fitting = next(((spot, found) for spot in spots if (found := matches(*spot))), None)
        if fitting:
            cells[fitting[0]] = rng.choice(fitting[1])
            tiles.remove(cells[fitting[0]])
        else:
            cells[0, 1 + max(c for r, c in cells if r == 0)] = tiles.pop()
    rest = tiles + kept
    rng.shuffle(rest)
    cuts = [0, *sorted(rng.sample(range(1, left), players - 1)), left]
    shares = [rest[cuts[seat] : cuts[seat + 1]] for seat in range(players)]
    hands = [sorted(share[:5], key=flaming.canonical) for share in shares]
    start = flaming.deal(players, rules["preset"], rules["curse"], rules["special_fire"], random.Random(0))
    now = start | {"hands": hands, "known": hands, "piles": [share[5:] for share in shares], "turns": turns}
    now |= {"unknown": [0] * players, "out": [code for code in flaming.TILES if code in FIRES and code not in kept]}
    now |= dict.fromkeys(("turn", "charged", "to_act"), turns % players)
    del now["board"]
    return json.loads(json.dumps(flaming.written(now, cells)))


def options(seed):
    preset, curse, special_fire, fires = list(product(("bga", "german"), (False, True), (False, True), (False, True)))[
        seed % 16
    ]
    return {"preset": preset, "curse": curse, "special_fire": special_fire, "fires": fires}


def later(seed, **fields):
    """A few random moves on from a stacked position: falls and dice, too, are asked about."""
    rng = random.Random(seed)
    shape = {"left": rng.choice((3, 4, 5)), "base": rng.choice((6, 9, 14)), "rows": rng.choice((3, 4, 9))}
    position = stacked(seed, **(shape | options(seed) | fields))
    for _ in range(seed // 16 % 3):
        after = flaming.play(position, rng.choice(flaming.legal(position)))
        if after["phase"] == "over":
            break
        position = after
    return position


@kernel
def forced(states, depth, target, helped, turns, count):
    """Plain minimax over ``states`` from ``states[depth]`` on; ``count``: nodes left, -1 when they were not enough."""
    s = states[depth]
    if s.phase == OVER or turns == 0:
        return s.phase == OVER and s.winner == target
    helps = to_act(s) == target or (s.phase == DIE and helped == 1)
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    for i in range(legal(s, moves)):
        if count[0] <= 0 or depth + 1 == states.size or s.phase == BEYOND:
            count[0] = -1
            return False
        count[0] -= 1
        states[depth + 1] = s
        play(states[depth + 1], np.int64(moves[i]))
        ends = np.int64(states[depth + 1].turns) - np.int64(s.turns)
        if forced(states, depth + 1, target, helped, turns - ends, count) == helps:
            return helps
    return not helps


def minimax(position, target, helped, turns, nodes=50_000):
    """Whether ``target`` can force to win, the dice with it or against it; None if that takes too long to see."""
    states = np.zeros(200, dtype=DTYPE).view(np.recarray)
    states[0] = position.state
    count = np.array([nodes])
    found = forced(states, 0, target, helped, turns, count)
    return None if count[0] < 0 else bool(found)


def ask(position, target, helped, turns, room, nodes=300_000):
    room.states[proof.ROOT] = position.state
    room.answer[1] = 0
    return int(proof.ask(target, helped, turns, nodes, room))


@pytest.fixture(scope="module")
def room():
    return proof.make_room(16)


# Brute force


def check_reference(seeds, room, nodes):
    """Verdicts against the naive engine, wherever it need not look at more than so many nodes."""
    seen = {proof.PROVEN: 0, proof.REFUTED: 0}
    for seed in seeds:
        data = later(seed, base=14, rows=3)
        position = read(data)
        for seat, turns in product((0, 1), (3, 2, 1)):
            if minimax(position, seat, 0, turns, nodes) is not None:
                expected = proof.PROVEN if flaming.wins(data, seat, turns) else proof.REFUTED
                assert ask(position, seat, 0, turns, room) == expected, (seed, seat, turns)
                seen[expected] += 1
    return seen


def test_verdicts_agree_with_the_naive_engine(room):
    seen = check_reference(range(24), room, 60)
    assert seen[proof.PROVEN] > 0 and seen[proof.REFUTED] > 20


@pytest.mark.slow
def test_more_verdicts_agree_with_the_naive_engine(room):
    seen = check_reference(range(64, 108), room, 500)
    assert seen[proof.PROVEN] > 4 and seen[proof.REFUTED] > 80


@pytest.mark.small
def test_some_verdicts_agree_with_the_naive_engine_whatever_the_settings():
    assert min(check_reference(range(2, 6), proof.make_room(4), 60).values()) > 0


def check_minimax(seed, room, nodes):
    """All verdicts of all questions, asked in any order, from a table that keeps the answers before."""
    position = read(later(seed, players=2 + (seed % 5 == 0)))
    questions = list(product(range(position.players), (0, 1), range(1, 7)))
    random.Random(seed).shuffle(questions)
    seen = 0
    for target, helped, turns in questions:
        expected = minimax(position, target, helped, turns, nodes)
        if expected is not None:
            verdict = ask(position, target, helped, turns, room)
            assert verdict == (proof.PROVEN if expected else proof.REFUTED), (seed, target, helped, turns)
            seen += 1
    return seen


def test_verdicts_agree_with_minimax(room):
    assert sum(check_minimax(seed, room, 5_000) for seed in range(60)) > 500


@pytest.mark.slow
def test_more_verdicts_agree_with_minimax(room):
    assert sum(check_minimax(seed, room, 200_000) for seed in range(60, 130)) > 800


def test_a_table_that_forgets_makes_no_false_claims():
    tiny = proof.make_room(0)
    answered = 0
    for seed in range(40):
        position = read(later(seed))
        for target, turns in product((0, 1), range(1, 5)):
            expected = minimax(position, target, 0, turns, 5_000)
            verdict = ask(position, target, 0, turns, tiny, 20_000)
            if expected is not None and verdict != proof.OPEN:
                assert verdict == (proof.PROVEN if expected else proof.REFUTED), (seed, target, turns)
                answered += 1
    assert answered > 100


@pytest.mark.parametrize("turns", [998, 999])
def test_outcomes_near_the_turn_limit(turns):
    seen = set()
    for seed in range(32):
        position = read(later(seed, turns=turns))
        left = 1000 - position.to_dict()["turns"]
        solution = solve(position, 20_000)
        seat, other = solution.seat, 1 - solution.seat
        wins, lucky = ([minimax(position, target, helped, left) for target in (seat, other)] for helped in (0, 1))
        if None in wins or None in lucky:
            continue
        expected = "win" if wins[0] else "loss" if wins[1] else "unknown" if any(lucky) else "draw"
        assert solution.outcome == expected, seed
        seen.add(expected)
        for move, outcome in solution.moves.items():
            after = position.play(move)
            if after.is_over:
                expected = {"0": "win", "1": "loss", "draw": "draw"}[str(after.to_dict()["winner"])]
                assert outcome == (
                    expected if seat == 0 or expected == "draw" else {"win": "loss", "loss": "win"}[expected]
                )
    assert seen >= {"win", "draw"}


@pytest.mark.parametrize(("seed", "target", "shortest"), [(805, 0, 4), (1105, 0, 5)])
def test_long_wins_are_proven_from_their_horizon_on(seed, target, shortest, room):
    position = read(later(seed))
    for order in (range(1, 9), range(8, 0, -1)):
        table.clear(room.table)
        for turns in order:
            verdict = ask(position, target, 0, turns, room)
            assert verdict == (proof.PROVEN if turns >= shortest else proof.REFUTED), turns


@pytest.mark.parametrize(("seed", "target", "shortest"), [(805, 0, 4), (1105, 0, 5)])
def test_what_the_turn_limit_refutes_is_not_refuted_earlier(seed, target, shortest, room):
    position = read(later(seed))
    table.clear(room.table)
    for left in range(1, shortest):
        states = position.states()
        states[0].turns = 1000 - left
        assert ask(Position(position.game, states), target, 0, left, room) == proof.REFUTED
    assert ask(position, target, 0, shortest, room) == proof.PROVEN


def test_a_last_tile_is_known_to_be_shed_only_if_it_is():
    rng = random.Random(0)
    seen = {True: 0, False: 0}
    for seed in range(12):
        position = game.deal(
            "flaming", seed, preset=("bga", "german")[seed % 2], special_fire=seed % 3 == 0, curse=True
        )
        for _ in range(20):
            position = position.play(rng.choice(position.moves()))
            if position.is_over or position.to_dict()["phase"] != "place":
                continue
            data = position.to_dict()
            seat = position.to_act
            tiles = [*data["hands"][seat], *data["piles"][seat]]
            last = rng.choice(tiles)
            data["hands"][seat], data["piles"][seat], data["known"] = [last], [], [[], []]
            data["piles"][1 - seat] += [tile for tile in tiles if tile != last]
            data |= {"unknown": [0, 0], "turns": data["turns"] + 60}
            now = read(data)
            wins = any(now.play(move).is_over for move in now.moves())
            claimed = bool(proof.sheds_last(now.state))
            assert wins or not claimed
            afire = any(tile in FIRES for tile in [last, *chain(*data["board"])])
            assert claimed or afire or not wins
            seen[claimed] += 1
    assert min(seen.values()) > 20


# What a solution says


def sensible(position, rng):
    """A move that takes as few tiles as can be seen at once, at random among equals; a roll of the die."""
    if position.to_act == game.CHANCE:
        return rng.choice(position.moves())
    held = int(position.state.held[position.to_act])
    after = {move: position.play(move) for move in position.moves()}
    taken = {move: int(then.state.held[position.to_act]) - held for move, then in after.items()}
    return rng.choice([move for move, number in taken.items() if number == min(taken.values())])


def at_random(position, rng):
    return rng.choice(position.moves())


def late(seed, most, **rules):
    """A position of a sensible game in which nothing is hidden and some seat holds at most so many tiles."""
    rng = random.Random(seed)
    position = game.deal("flaming", seed, **rules)
    while not position.is_over:
        if known_to_all(position) and position.state.held[:2].min() <= most and position.state.phase != OVER:
            return position
        position = position.play(sensible(position, rng))
    return late(seed + 1000, most, **rules)


def play_on(position, seat, opponent, rng, nodes=20_000):
    """``seat`` plays what the solver says, from where it has proven a win, to the end."""
    while not position.is_over:
        if position.to_act == seat:
            solution = solve(position, nodes)
            assert solution.outcome == "win"
            assert solution.moves[solution.line[0]] == "win"
            position = position.play(solution.line[0])
        else:
            position = position.play(opponent(position, rng))
    return position


def won_positions(seeds):
    for seed in seeds:
        position = read(later(seed))
        solution = solve(position, 20_000)
        if solution.outcome in ("win", "loss"):
            yield position, solution


def check_claims(seeds):
    longest = 0
    for position, solution in won_positions(seeds):
        winner = solution.seat if solution.outcome == "win" else 1 - solution.seat
        end = replay(position, solution.line)[-1]
        assert end.is_over and end.to_dict()["winner"] == winner
        assert end.state.turns - position.state.turns == solution.turns
        for opponent, seed in product((at_random, sensible), range(3)):
            end = play_on(position, winner, opponent, random.Random(seed))
            assert end.to_dict()["winner"] == winner
            assert end.state.turns - position.state.turns <= solution.turns
        longest = max(longest, solution.turns)
    return longest


def test_claimed_wins_are_won_in_time():
    assert check_claims(range(16)) >= 1


@pytest.mark.slow
def test_more_claimed_wins_are_won_in_time():
    assert check_claims(range(16, 116)) >= 1


def test_late_positions_of_sensible_games():
    seen = []
    for seed in range(2):
        position = late(seed, 1)
        solution = solve(position, 5_000)
        assert solution.seat == position.to_act
        assert list(solution.moves) == position.moves()
        assert set(solution.moves.values()) <= OUTCOMES
        assert solution == solve(position, 5_000) == solve(position.observe(solution.seat), 5_000)
        assert solution.nodes <= 5_200
        seen += solution.moves.values()
    assert {"loss", "unknown"} <= set(seen)


def test_a_die_is_certain_only_if_all_its_faces_are():
    dice = 0
    for seed in range(400):
        position = read(later(seed)) if options(seed)["special_fire"] and options(seed)["fires"] else None
        if position is None or position.to_act != game.CHANCE:
            continue
        dice += 1
        solution = solve(position, 20_000)
        assert solution.seat == position.to_dict()["turn"]
        assert list(solution.moves) == ["d1", "d2", "d3", "d4", "d5", "d6"]
        assert solution.moves["d1"] == solution.moves["d2"] == solution.moves["d3"]
        if solution.outcome != "unknown":
            assert set(solution.moves.values()) == {solution.outcome}
    assert dice > 3


def test_draw_when_there_is_no_time_left():
    position = read(game.deal("flaming", 5, players=4).to_dict() | {"turns": 988, "unknown": [0] * 4})
    solution = solve(position, 1000)
    assert (solution.outcome, solution.turns, solution.line) == ("draw", 12, ())
    assert set(solution.moves.values()) == {"draw"}


def test_three_players_claim_wins_against_all_others():
    seen = set()
    for seed in range(40):
        position = read(later(seed, players=3))
        solution = solve(position, 10_000)
        wins = [minimax(position, seat, 0, 3, 20_000) for seat in range(3)]
        if solution.outcome == "win" and solution.turns <= 3 and None not in wins:
            assert wins[solution.seat]
        elif solution.outcome == "loss" and solution.turns <= 3 and None not in wins:
            assert any(wins) and not wins[solution.seat]
        elif solution.outcome != "unknown" and None not in wins:
            assert not any(wins)
        seen.add(solution.outcome)
    assert seen >= {"win", "loss", "unknown"}


# The kernel at the root of a search


def test_prove_moves_fills_in_outcomes(room):
    moves, outcomes = np.empty(MAX_MOVES, dtype=np.int32), np.empty(MAX_MOVES, dtype=np.int8)
    signs = {"win": 1, "loss": -1}
    decided = 0
    for seed in range(24):
        position = read(later(seed))
        count = legal(position.state, moves)
        table.clear(room.table)
        nodes = prove_moves(position.state, moves, count, 20_000, True, room, outcomes)
        solution = solve(position, 20_000)
        assert nodes <= 20_300
        assert outcomes[:count].tolist() == [signs.get(outcome, 0) for outcome in solution.moves.values()]
        again = prove_moves(position.state, moves, count, 20_000, False, room, outcomes)
        assert (1 in outcomes[:count]) == (solution.outcome == "win") or position.to_act == game.CHANCE
        if solution.outcome == "win":
            assert again <= nodes
        decided += solution.outcome != "unknown"
    assert decided >= 4


# Fingerprints


def key_of(position):
    return tuple(map(int, proof.fingerprint(position.state, 0, proof.make_room(0).marks)))


def test_fingerprints_tell_apart_what_matters_and_nothing_else():
    marks = proof.make_room(0).marks
    seen = {}
    for seed in range(8):
        rng = random.Random(seed)
        position = game.deal(
            "flaming", seed % 3, players=2, **{k: v for k, v in options(2 * seed + 1).items() if k != "fires"}
        )
        while not position.is_over:
            data = position.to_dict()
            for field in ("turns", "known", "unknown", "out", "to_act", "winner"):
                del data[field]
            if not data["rules"]["special_fire"]:
                del data["placed"]
            key = tuple(map(int, proof.fingerprint(position.state, 0, marks)))
            assert seen.setdefault(key, data) == data
            position = position.play(rng.choice(position.moves()))
    assert len(set(map(json.dumps, seen.values()))) == len(seen)
    assert len({where for where, _ in seen}) == len({key for _, key in seen}) == len(seen)


def test_fingerprints_differ_in_every_detail():
    data = stacked(1, 14, 9, special_fire=True)
    *tiles, one, two, three = [*data["piles"][0], *data["piles"][1], *data["hands"][0], *data["hands"][1]]
    hand, other, drawn = tiles[:3], tiles[3:8], tiles[8:]
    data |= {"hands": [[one, two, *hand], other], "piles": [[three, *drawn], []]}
    rows = [list(row) for row in data["board"]]
    rows[0][0], rows[0][1] = rows[0][1], rows[0][0]
    variants = [
        {},
        {"turn": 1, "charged": 1, "to_act": 1, "turns": 61},
        {"hands": [[two, three, *hand], other], "piles": [[one, *drawn], []]},
        {"hands": [[two, three, *hand], other], "piles": [[*drawn, one], []]},
        {"hands": [[two, three, *hand], other], "piles": [[*drawn[:1], one, *drawn[1:]], []]},
        {"hands": [[two, three, *hand], other], "piles": [[], [one, *drawn]]},
        {"hands": [[one, three, *hand], other], "piles": [[two, *drawn], []]},
        {"hands": [other, [one, two, *hand]]},
        {"rules": data["rules"] | {"curse": True}},
        {"rules": data["rules"] | {"special_fire": False}},
        {"rules": data["rules"] | {"preset": "german"}},
    ]
    keys = [key_of(read(data | {"known": [[], []]} | variant)) for variant in variants]
    assert len({where for where, _ in keys}) == len({key for _, key in keys}) == len(variants)


def test_fingerprints_do_not_depend_on_where_the_pyramid_lies():
    position = read(later(0))
    there = read(position.to_dict() | {"turns": int(position.state.turns) + 18})
    assert key_of(position) == key_of(there)
    grown = position.play(next(move for move in position.moves()))
    assert key_of(grown) == key_of(read(grown.to_dict())) != key_of(position)


# The table


@pytest.mark.small
def test_table_keeps_what_took_most_work():
    keys = table.empty(2)
    where = np.uint64(12345)
    for key in range(1, 5):
        table.store(keys, where, np.uint64(key), np.uint64(10 * key), key)
    assert [int(table.probe(keys, where, np.uint64(key))) for key in range(1, 6)] == [10, 20, 30, 40, 0]
    table.store(keys, where, np.uint64(5), np.uint64(50), 1)
    assert [int(table.probe(keys, where, np.uint64(key))) for key in range(1, 6)] == [0, 20, 30, 40, 50]
    table.store(keys, where, np.uint64(3), np.uint64(33), 1)
    assert int(table.probe(keys, where, np.uint64(3))) == 33
    table.clear(keys)
    assert not any(int(table.probe(keys, where, np.uint64(key))) for key in range(6))


@pytest.mark.small
def test_table_is_bounded_and_gives_way_in_the_end():
    keys = table.empty(4)
    rng = np.random.default_rng(0)
    halves = rng.integers(1, 2**63, size=(200, 2), dtype=np.uint64)
    for where, key in halves:
        table.store(keys, where, key, key, 1000)
    kept = [bool(table.probe(keys, where, key) == key) for where, key in halves]
    assert keys.keys.size == 16
    assert 12 <= sum(kept) <= 16
    first = table.empty(0)
    table.store(first, np.uint64(0), np.uint64(99), np.uint64(1), 1_000_000)
    for key in range(1, 100):
        table.store(first, np.uint64(0), np.uint64(100 + key), np.uint64(1), 10)
    assert not int(table.probe(first, np.uint64(0), np.uint64(99)))


# Who may ask


def test_known_to_all():
    position = late(1, 3)
    assert known_to_all(position) and all(known_to_all(position.observe(seat)) for seat in (0, 1))
    start = game.deal("flaming", 1)
    assert not known_to_all(start) and not known_to_all(start.observe(0))
    while start.state.unknown.any():
        assert not known_to_all(start) and not known_to_all(start.observe(1))
        start = start.play(start.moves()[0])
    assert known_to_all(start) and known_to_all(start.observe(1))


def test_errors_name_what_is_hidden():
    start = game.deal("flaming", 1)
    with pytest.raises(InputError, match=r"^unknown\[0\]: expected 0, the whole truth is needed: 17 tiles"):
        solve(start.observe(0))
    three = read(stacked(0, 8, 9, players=3) | {"known": [[], [], []]})
    with pytest.raises(InputError, match=r"^hands: .*whole truth"):
        solve(three.observe(0), 100)
    assert solve(three, 100).seat == 0
    assert solve(start, 300).outcome == "unknown"
    with pytest.raises(InputError, match=r"^nodes: expected a positive whole number, got 0"):
        solve(start, 0)
    won, _ = next(won_positions(range(100)))
    while not won.is_over:
        won = won.play(solve(won, 20_000).line[0] if won.to_act >= 0 else won.roll(stream(0, "die")))
    with pytest.raises(InputError, match=r"^phase: expected a game that is not over"):
        solve(won)
