"""What positions of Pylos are worth where alpha-beta looks no further: a few terms, and what lies in every square.

How the weights were found: alpha-beta, with the four guessed weights it had before, searched 18,805 positions of
standard and 9,788 of beginner with 50,000 nodes each, all of them such that some move loses what the position is worth.
Of these, 10,911 and 4,292 were drawn from the solutions of the base of 4, as many tries for every number of balls; the
others come from games of alpha-beta and greedy after random openings, with one move in eight random. One in 64, by
fingerprint, of the positions at which those searches looked no further was looked up in the solution, and on 800,000 of
these, different ones, the weights are a logistic regression of whether the side to move wins. So a score of 100 means
that winning is e times as likely as losing. Squares that a symmetry turns into each other share a weight. Of such
positions from searches of other roots the sign of the score tells the winner in 90 % (standard 259,000, beginner
147,000 of them); that of the guessed weights did in 73 % and 83 %.

Weights of terms are for 3, 11, 19 and 27 balls on the board, those of squares for 6 and 22, and lie on straight lines
between. Expert takes the weights of standard: it was not solved when they were fitted.
"""

from typing import NamedTuple

import numpy as np

from ..solver.bits import ONE, U, popcount
from ..solver.jit import kernel
from ..solver.pylos.board import CELLS, GROUND, LEVEL, LEVELS, SQUARES, open_cells
from ..solver.pylos.rules import free_balls
from ..solver.pylos.state import BEGINNER
from ..solver.pylos.symmetry import SYMMETRIES, TURNED

I64 = np.int64
SCALE = 100.0
"""Score that makes a win e times as likely as a loss."""
TERM_BALLS, SQUARE_BALLS = (3, 11, 19, 27), (6, 22)
"""Balls on the board that weights are for."""
BALL = 158
"""About what a ball in reserve is worth on its own, for people to read scores by: that of standard, 11 balls."""


class Weights(NamedTuple):
    """Weights of a variant, as text.

    Attributes:
        terms: a line a term.
        squares: per place, what lies in a square and on it, with its weights: ``m`` mine, ``t`` theirs, ``.`` nobody's;
            four cells in the order of the board, then the one they hold up. The same with ``m`` and ``t`` swapped
            is worth as much to the other side; what is not named is worth nothing.
    """

    terms: str
    squares: str


STANDARD_WEIGHTS = Weights(
    terms="""
    reserve             222   158    94   164
    free                 30    58    53    45
    threats             128    86    25   124
    threatened         -106  -139   -56     2
    a_threat            102   115    99   127
    threatened_at_all    76    72    64    47
    high                 65    46    26    75
    odd_high            -52   -18     1     4
    odd                 106    -7     7   -53
    move                 70    88    36  -102
    """,
    squares="""
    centre m....+7+58 mm...+76+87 .mm..+24+41 mmm..+92+86 tmm..+3-48 mtm..-16+1 mmmm.-155+16 tmmm.-40-15 mmmmm-4-22
      tmmmm+14-8 ttmmm+1+4 mttmm-2+4 tttmm-31+32 ttttm+6+40
    edge m....+44+29 mm...+107+31 ..m..+55+48 m.m..+88+78 t.m..+19+55 .mm..+142+111 mmm..+91+162 tmm..+10+74
      .tm..+5-19 mtm..-13+11 ttm..+53+11 ..mm.+122+93 m.mm.+96+142 t.mm.+27+15 mmmm.-135-38 tmmm.-103+14
      ttmm.+104+31 m.tm.-14-39 t.tm.+39+38 mmtm.-212-61 mmmmm-169-169 tmmmm-147-74 ttmmm+0+11 mmtmm-254-108
      tmtmm-65-18 mttmm-100-21 tttmm+187+48 mmttm-206-59 tmttm+49+20 ttttm+361+97
    corner m....+149+86 .m...+47-18 mm...+177+121 tm...-90-56 .mm..+111+43 mmm..+103+222 tmm..-52-71 mtm..+30+50
      ...m.+52+34 m..m.+241+115 t..m.-111-54 .m.m.+95+62 mm.m.+140+182 tm.m.-45+17 .t.m.+10+16 mt.m.+101+36
      tt.m.-73-19 .mmm.+134+146 mmmm.-14-72 tmmm.-125+43 .tmm.-1-31 mtmm.-164-20 ttmm.+37-17 .ttm.+24+58 mttm.+42+38
      tttm.+187+66 mmmmm-33-228 tmmmm-222-94 mtmmm-283-158 ttmmm-54-4 mttmm-151-69 tttmm+199+76 mmmtm-355-165
      tmmtm-111-18 mtmtm-200-72 ttmtm+211+51 mtttm+112-34 ttttm+515+130
    second m....+141-65 .m...+67-23 mm...+60-10 tm...-41+6 .mm..+136+42 mmm..+134+61 tmm..-62+9 mtm..-97-41
      ...m.+63-5 m..m.+163+40 t..m.-33-10 .m.m.+134+15 mm.m.+183+154 tm.m.-97-9 .t.m.-15+18 mt.m.-27-7 tt.m.+56+48
      .mmm.+233+160 mmmm.-382-111 tmmm.-212-17 .tmm.-41-14 mtmm.-211-67 ttmm.+12+23 .ttm.+10+33 mttm.-25+0
      tttm.+173+129 mmmmm-107-111 tmmmm-55-57 mtmmm-40-94 ttmmm+110-36 mttmm-7-44 tttmm+60+9 mmmtm-53-97 tmmtm+78-26
      mtmtm-21-66 ttmtm+14+2 mtttm-46-10 ttttm+35+45
    third m....-25-47 mm...-3-61 .mm..+0-32 mmm..+0+18 tmm..+0-36 mtm..+0-39 tmmm.+0-116
    """,
)
BEGINNER_WEIGHTS = Weights(
    terms="""
    reserve             131   207   235   532
    free                -32    47    62    79
    threats             -23   -16   -43   -95
    threatened           27    37    16    12
    a_threat            -20   -12     0   -60
    threatened_at_all    22    14    22    28
    high                 16    63    44   170
    odd_high            -15    41    -9    52
    odd                  71   -49    11   -16
    move                -20     4   -60  -390
    """,
    squares="""
    centre m....-2-6 mm...-27+49 .mm..-34-15 mmm..+31-3 tmm..+7-48 mtm..+4+1 mmmm.-27-144 tmmm.-29-57 mmmmm-13-48
      tmmmm+1-36 ttmmm+5-26 mttmm+18-25 tttmm+13-11 ttttm+27-8
    edge m....+5+29 mm...+8+35 ..m..-2-40 m.m..-36-51 t.m..-9+30 .mm..+8-54 mmm..-1-45 tmm..-15+6 .tm..-24+2
      mtm..-43+5 ttm..+2+70 ..mm.-37-66 m.mm.+5-92 t.mm.-39-9 mmmm.-191-195 tmmm.-95-70 ttmm.+40+39 m.tm.+17-73
      t.tm.-6+57 mmtm.-132-109 mmmmm-56-304 tmmmm-1-171 ttmmm+32-32 mmtmm-35-232 tmtmm-5-92 mttmm+1-93 tttmm+19+47
      mmttm-34-155 tmttm-13-12 ttttm+14+123
    corner m....+62+182 .m...+6-24 mm...+33+178 tm...-47-119 .mm..-1-15 mmm..+89+49 tmm..-46-87 mtm..+45+34
      ...m.-5-42 m..m.+57+19 t..m.-74-78 .m.m.-32-73 mm.m.+57-47 tm.m.-72-68 .t.m.-8+19 mt.m.+50+6 tt.m.-68+25
      .mmm.+39-69 mmmm.-334-123 tmmm.+24-119 .tmm.-10-39 mtmm.-208-35 ttmm.+117-25 .ttm.-39+41 mttm.-92+55
      tttm.+232+61 mmmmm-78-342 tmmmm+2-119 mtmmm-33-240 ttmmm+20-19 mttmm-13-142 tttmm+24+80 mmmtm-50-273
      tmmtm-10-51 mtmtm-35-173 ttmtm+4+50 mtttm-9-78 ttttm+29+146
    second m....-17-92 .m...+1-54 mm...+28-188 tm...-16+19 .mm..-48-81 mmm..-97-203 tmm..+79-34 mtm..+79-144
      ...m.+3-23 m..m.-121+16 t..m.+41-110 .m.m.-6-52 mm.m.-182-43 tm.m.-35-63 .t.m.-37-7 mt.m.-41-31 tt.m.+3-1
      .mmm.-164-28 mmmm.-173-233 tmmm.-121-78 .tmm.-34-48 mtmm.-128-123 ttmm.-2+27 .ttm.+84-29 mttm.+35-10
      tttm.+165+142 mmmmm+52-119 tmmmm+152-101 mtmmm+207-141 ttmmm+125-105 mttmm+135-134 tttmm-86-96 mmmtm+126-145
      tmmtm+87-108 mtmtm+68-155 ttmtm-183-113 mtttm-170-145 ttttm-259-108
    third m....+191-84 mm...+32-53 .mm..+0-232 mmm..+0-57 tmm..+0-45 mtm..+0-30 mmmm.+0-94 tmmm.+0-99
    """,
)
TERMS = (
    "reserve",  # balls in reserve, mine less theirs
    "free",  # balls that nothing rests on, mine less theirs
    "threats",  # open cells that complete a square of mine
    "threatened",  # … of theirs
    "a_threat",  # whether there is any of mine
    "threatened_at_all",  # … of theirs
    "high",  # open cells above the base
    "odd_high",  # whether their number is odd
    "odd",  # whether the number of all open cells is odd
    "move",  # to be to move
)
RESERVE, FREE, THREATS, THREATENED, A_THREAT, THREATENED_AT_ALL, HIGH, ODD_HIGH, ODD, MOVE = range(len(TERMS))
PLACES = {"centre": 5, "edge": 1, "corner": 0, "second": 16, "third": 32}
"""First cell of a square at each place; of squares that are turned into each other, that of the first."""
FIRST_CELLS = np.array([cell for cell in CELLS if int(SQUARES) >> cell & 1])
"""First cells of the fourteen squares."""
STATES = 3**5
"""A square and the cell on it as digits to the base of 3: 0 nobody's, 1 mine, 2 theirs; what is on it is the last."""
DIGITS = np.array([sum(3**i for i, cell in enumerate((0, 1, 4, 5)) if bits >> cell & 1) for bits in range(64)])
"""Such digits of one side by its bits in a square."""
BITS = U(0b110011)
ON_IT = STATES // 3


def _cells(first: int) -> list[int]:
    return [first, first + 1, first + 4, first + 5, first + 16]


def _terms(text: str) -> np.ndarray:
    """``int32[31, terms]``: weights by balls on the board."""
    rows = {name: [int(value) for value in values] for name, *values in map(str.split, text.strip().splitlines())}
    balls = np.arange(len(CELLS) + 1)
    return np.stack([np.rint(np.interp(balls, TERM_BALLS, rows[name])) for name in TERMS], axis=1).astype(np.int32)


def _squares(text: str) -> np.ndarray:
    """``int16[31, 14 * STATES]``: what each square is worth to mine, by balls on the board."""
    few_and_many = np.zeros((2, len(FIRST_CELLS), STATES))
    numbers = {cell: number for number, cell in enumerate(FIRST_CELLS.tolist())}
    first = 0
    for word in text.split():
        if word in PLACES:
            first = PLACES[word]
            continue
        owners, at_few, at_many = word[:5], *word[5:].replace("-", " -").replace("+", " ").split()
        for symmetry in range(SYMMETRIES):
            turned = [int(cell) for cell in TURNED[symmetry][_cells(first)]]
            number = numbers[min(turned[:4])]
            order = [turned.index(cell) for cell in _cells(min(turned[:4]))]
            for sign, sides in ((1, ".mt"), (-1, ".tm")):
                state = sum(3**i * sides.index(owners[place]) for i, place in enumerate(order))
                few_and_many[:, number, state] = sign * int(at_few), sign * int(at_many)
    few, many = few_and_many.reshape(2, -1)
    share = np.interp(np.arange(len(CELLS) + 1), SQUARE_BALLS, (0.0, 1.0))[:, None]
    return np.rint(few * (1 - share) + many * share).astype(np.int16)


TERM_WORTH = np.stack([_terms(weights.terms) for weights in (STANDARD_WEIGHTS, BEGINNER_WEIGHTS)])
SQUARE_WORTH = np.stack([_squares(weights.squares) for weights in (STANDARD_WEIGHTS, BEGINNER_WEIGHTS)])
S1, S4, S5, S16 = U(1), U(4), U(5), U(16)


@kernel
def threats(own, spots):
    """Of some empty cells, those that would complete a square of ``own``."""
    right, up, across = own >> S1, own >> S4, own >> S5
    lacking = right & up & across & SQUARES
    lacking |= (own & up & across & SQUARES) << S1
    lacking |= (own & right & across & SQUARES) << S4
    return spots & (lacking | (own & right & up & SQUARES) << S5)


@kernel
def worth_of_squares(own, other, balls, rules):
    """What the squares are worth to ``own``; swapping the sides changes the sign and nothing else."""
    worth, total = SQUARE_WORTH[rules, balls], 0
    for number in range(FIRST_CELLS.size):
        first = U(FIRST_CELLS[number])
        mine, theirs = own >> first, other >> first
        state = DIGITS[mine & BITS] + 2 * DIGITS[theirs & BITS]
        state += ON_IT * (I64(mine >> S16 & ONE) + 2 * I64(theirs >> S16 & ONE))
        total += worth[STATES * number + state]
    return total


@kernel
def judge(own, other, reserve, other_reserve, size, variant):
    """Evaluation of a position for the side to move.

    But for threats and what hangs on the move it is the same for both sides, with the sign changed.
    """
    rules = 1 if variant == BEGINNER else 0
    occupied = own | other
    spots = open_cells(occupied, size)
    balls = popcount(occupied | GROUND[size])
    weights = TERM_WORTH[rules, balls]
    score = I64(weights[MOVE]) + weights[RESERVE] * (reserve - other_reserve)
    score += weights[FREE] * (popcount(free_balls(own, occupied)) - popcount(free_balls(other, occupied)))
    mine, theirs = popcount(threats(own, spots)), popcount(threats(other, spots))
    score += weights[THREATS] * mine + weights[THREATENED] * theirs
    if mine > 0:
        score += weights[A_THREAT]
    if theirs > 0:
        score += weights[THREATENED_AT_ALL]
    high = popcount(spots & ~LEVEL[LEVELS - size])
    score += weights[HIGH] * high
    if high & 1:
        score += weights[ODD_HIGH]
    if popcount(spots) & 1:
        score += weights[ODD]
    return score + worth_of_squares(own, other, balls, rules)
