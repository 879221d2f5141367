"""What positions of Pylos are worth where alpha-beta looks no further: a few terms, and what lies in squares and rows.

How the weights were found: alpha-beta, with the four guessed weights it had before, searched 18,805 positions of
standard, 9,788 of beginner and 12,750 of expert with 50,000 nodes each, all of them such that some move loses what the
position is worth. Of these, 10,911, 4,292 and 4,936 were drawn from the solutions of the base of 4, as many tries for
every number of balls; the others come from games of alpha-beta and greedy after random openings, with one move in eight
random. One in 64, by fingerprint, of the positions at which those searches looked no further was looked up in the
solution, and on 800,000 of these, different ones, the weights are a logistic regression of whether the side to move
wins. So a score of 100 means that winning is e times as likely as losing. Squares and rows that a symmetry turns into
each other share a weight. Of such positions from searches of other roots, the drawn ones left out, the sign of the
score tells the winner in 90 % (standard 259,000, beginner 147,000 of them) and 89 % (expert, 95,000); that of the
guessed weights did in 73 % (standard) and 83 % (beginner), and that of standard's in 75 % (expert).

Weights of terms are for 3, 11, 19 and 27 balls on the board, those of squares and rows for 6 and 22, and lie on
straight lines between.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..solver.bits import ONE, ZERO, U, popcount, without_lowest
from ..solver.jit import kernel
from ..solver.pylos.board import CELLS, GROUND, LEVEL, LEVELS, LINES, SQUARES, VALID, open_cells
from ..solver.pylos.rules import free_balls
from ..solver.pylos.state import EXPERT
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
        rows: the same of the rows and columns that let a side take back, from either end; empty where there are none.
    """

    terms: str
    squares: str
    rows: str = ""


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
EXPERT_WEIGHTS = Weights(
    terms="""
    reserve              46    26    39    96
    free                 78    44    44    38
    threats             111    99    50    41
    threatened         -144   -84   -40   -87
    a_threat             36    58    29    87
    threatened_at_all    86   -28     0    23
    high                 39    55    35    43
    odd_high            -56   -18     2     5
    odd                  61    -4     3   -15
    move                168   124    51   -18
    """,
    squares="""
    centre m....-7-9 mm...+81-4 .mm..-36+50 mmm..+79+32 tmm..-64-26 mtm..+35-19 mmmm.-52+18 tmmm.-21-14 mmmmm+56-34
      tmmmm-29-8 ttmmm-34+8 mttmm-98+26 tttmm-59+25 ttttm+271-12
    edge m....-7+19 mm...+95+69 ..m..-7+7 m.m..+53+33 t.m..-10+9 .mm..-7+25 mmm..+79+94 tmm..-74+29 .tm..+24-27
      mtm..+10+64 ttm..-37-51 ..mm.+31+49 m.mm.+10+66 t.mm.-18-8 mmmm.-99+30 tmmm.-102+1 ttmm.-19-18 m.tm.-56-2
      t.tm.+8+1 mmtm.-106-3 mmmmm+34-76 tmmmm-162-41 ttmmm+3+11 mmtmm-133-48 tmtmm-50+3 mttmm-135+1 tttmm+134+58
      mmttm-98-1 tmttm+37+18 ttttm+521+68
    corner m....+75-21 .m...-4-18 mm...+192+47 tm...-74-43 .mm..-2-19 mmm..+134+229 tmm..-97-44 mtm..+119+104
      ...m.-3+4 m..m.+42+27 t..m.-48-4 .m.m.+46+44 mm.m.+76+100 tm.m.+8+13 .t.m.-2-10 mt.m.+6+20 tt.m.-98-59
      .mmm.+33+85 mmmm.-78+12 tmmm.-92+28 .tmm.-11-8 mtmm.-136+8 ttmm.-30-22 .ttm.+69+1 mttm.+19+12 tttm.+80-20
      mmmmm+124-67 tmmmm-167-36 mtmmm-168-71 ttmmm-81+22 mttmm-131-12 tttmm+115+80 mmmtm-108-53 tmmtm-112+16
      mtmtm-103-9 ttmtm+176+67 mtttm+13+9 ttttm+474+96
    second m....+39-6 .m...+28-16 mm...+76+8 tm...-23+1 .mm..+27+17 mmm..+98+69 tmm..-18-17 mtm..-13+11 ...m.+25-5
      m..m.+20+32 t..m.+54-32 .m.m.+59-22 mm.m.+81+64 tm.m.+45-18 .t.m.-8+2 mt.m.-11-7 tt.m.+33+7 .mmm.+78+23
      mmmm.-240-39 tmmm.-56-10 .tmm.+22-20 mtmm.-40-14 ttmm.+55-7 .ttm.+5-3 mttm.+35-8 tttm.-24+23 mmmmm+227+86
      tmmmm+12-39 mtmmm+25-43 ttmmm+55-20 mttmm-121-76 tttmm-33+1 mmmtm+67-34 tmmtm-173-79 mtmtm-64-71 ttmtm-96-17
      mtttm-91-41 ttttm+226+95
    third m....+22+0 mm...+6-12 .mm..+0-29 mmm..+0-7 tmm..+0-11 mtm..+0-25 tmmm.+0-50
    """,
    rows="""
    base_edge m...+78+8 .m..+57+13 mm..-26+50 tm..-5-22 m.m.+149+44 t.m.-26+5 .mm.-20+38 mmm.-150+60 tmm.-118-19
      mtm.-24-36 ttm.+119+22 m..m+148+48 mm.m-32+97 tm.m+62+7 mt.m+54+53 tt.m+136-24 mmmm-176-18 tmmm-218-34
      mtmm-151-37 mttm+150+29
    base_inner m...+21-9 .m..+62+14 mm..-104+57 tm..+65-14 m.m.+98+66 t.m.+48+0 .mm.-14+33 mmm.-229+29 tmm.-59-13
      mtm.-59-34 ttm.+184+33 m..m+42+37 mm.m-114+71 tm.m+60+54 mt.m-78+62 tt.m+161+1 mmmm-234-86 tmmm-219-38
      mtmm-224-53 mttm+26-2
    second_edge m..+70+10 .m.+81+15 mm.+94+10 tm.+37+5 m.m+16+89 mmm-52-38 tmm-5-14 mtm+5-16
    second_inner m..+60-20 .m.+49-4 mm.+78-3 tm.+23+19 m.m+43+42 mmm+8-11 tmm+23-2 mtm-33-13
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


class Row(NamedTuple):
    """A row or column of the base or of the level above it, and how its balls are gathered in adjacent bits.

    Attributes:
        place: whether it is at the edge, and on which level.
        first: its first cell.
        cells: ``uint64``, its cells, moved down to bit 0.
        gather, down: a factor and a number of bits; its ``i``-th cell is bit ``i`` after ``cells * gather >> down``.
    """

    place: str
    first: int
    cells: int
    gather: int
    down: int


def _row(line: int) -> Row:
    cells = [cell for cell in CELLS if line >> cell & 1]
    step, side = cells[1] - cells[0], len(cells)
    across = (cells[0] >> 2 if step == 1 else cells[0]) & 3
    place = ("base_" if side == 4 else "second_") + ("edge" if across in (0, side - 1) else "inner")
    down = (step - 1) * (side - 1)
    gather = sum({1 << down - (step - 1) * i for i in range(side)})
    return Row(place, cells[0], line >> cells[0], gather, down)


ROWS = [_row(line) for line in sorted({int(line) for cell in CELLS for line in LINES[cell] if line & ~VALID == ZERO})]
ROW_STATES = 3**4
ROW_CELLS = np.array([row.cells << row.first for row in ROWS], dtype=np.uint64)
ROW_FIRST, ROW_SHAPE, ROW_GATHER, ROW_DOWN = (np.array([row[i] for row in ROWS], dtype=np.uint64) for i in range(1, 5))
ROW_BITS = U(0b1111)
ROW_DIGITS = np.array([sum(3**i for i in range(4) if bits >> i & 1) for bits in range(16)])
"""Digits to the base of 3 of one side by its bits in a row."""


def _cells(first: int) -> list[int]:
    return [first, first + 1, first + 4, first + 5, first + 16]


def _terms(text: str) -> np.ndarray:
    """``int32[31, terms]``: weights by balls on the board."""
    rows = {name: [int(value) for value in values] for name, *values in map(str.split, text.strip().splitlines())}
    balls = np.arange(len(CELLS) + 1)
    return np.stack([np.rint(np.interp(balls, TERM_BALLS, rows[name])) for name in TERMS], axis=1).astype(np.int32)


def _words(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Place, what lies there, and its weights with few and with many balls."""
    place = ""
    for word in text.split():
        if word[-1].isalpha():
            place = word
            continue
        owners = word.rstrip("+-0123456789")
        few, many = word[len(owners) :].replace("-", " -").replace("+", " ").split()
        yield place, owners, int(few), int(many)


def _state(owners: str, sides: str = ".mt") -> int:
    """What lies somewhere as digits to the base of 3."""
    return sum(3**i * sides.index(owner) for i, owner in enumerate(owners))


def _by_balls(few_and_many: np.ndarray) -> np.ndarray:
    """``int16[31, ...]``: weights by balls on the board, from those with few and with many."""
    few, many = few_and_many.reshape(2, -1)
    share = np.interp(np.arange(len(CELLS) + 1), SQUARE_BALLS, (0.0, 1.0))[:, None]
    return np.rint(few * (1 - share) + many * share).astype(np.int16)


def _squares(text: str) -> np.ndarray:
    """``int16[31, 14 * STATES]``: what each square is worth to mine, by balls on the board."""
    few_and_many = np.zeros((2, len(FIRST_CELLS), STATES))
    numbers = {cell: number for number, cell in enumerate(FIRST_CELLS.tolist())}
    for place, owners, *weights in _words(text):
        for symmetry in range(SYMMETRIES):
            turned = [int(cell) for cell in TURNED[symmetry][_cells(PLACES[place])]]
            first = min(turned[:4])
            order = [owners[turned.index(cell)] for cell in _cells(first)]
            for sign, sides in ((1, ".mt"), (-1, ".tm")):
                few_and_many[:, numbers[first], _state("".join(order), sides)] = sign * np.array(weights)
    return _by_balls(few_and_many)


def _rows(text: str) -> np.ndarray:
    """``int16[31, 14 * ROW_STATES]``: what each row or column is worth to mine, by balls on the board."""
    few_and_many = np.zeros((2, len(ROWS), ROW_STATES))
    for place, owners, *weights in _words(text):
        for number, row in enumerate(ROWS):
            if row.place != place:
                continue
            for order in (owners, owners[::-1]):
                for sign, sides in ((1, ".mt"), (-1, ".tm")):
                    few_and_many[:, number, _state(order, sides)] = sign * np.array(weights)
    return _by_balls(few_and_many)


WEIGHTS = (STANDARD_WEIGHTS, BEGINNER_WEIGHTS, EXPERT_WEIGHTS)
"""By variant, as the state numbers them."""
TERM_WORTH = np.stack([_terms(weights.terms) for weights in WEIGHTS])
SQUARE_WORTH = np.stack([_squares(weights.squares) for weights in WEIGHTS])
ROW_WORTH = _rows(EXPERT_WEIGHTS.rows)
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
def lacking_of_rows(own):
    """Cells that a row or column lacks, which otherwise is all of ``own``."""
    lacking = ZERO
    for number in range(ROW_CELLS.size):
        rest = ROW_CELLS[number] & ~own
        if rest != ZERO and without_lowest(rest) == ZERO:
            lacking |= rest
    return lacking


@kernel
def worth_of_rows(own, other, balls):
    """What the rows and columns are worth to ``own``; swapping the sides changes the sign and nothing else."""
    worth, total = ROW_WORTH[balls], 0
    for number in range(ROW_CELLS.size):
        first, shape, gather, down = ROW_FIRST[number], ROW_SHAPE[number], ROW_GATHER[number], ROW_DOWN[number]
        mine = (own >> first & shape) * gather >> down & ROW_BITS
        theirs = (other >> first & shape) * gather >> down & ROW_BITS
        total += worth[ROW_STATES * number + ROW_DIGITS[mine] + 2 * ROW_DIGITS[theirs]]
    return total


@kernel
def worth_of_squares(own, other, balls, variant):
    """What the squares are worth to ``own``; swapping the sides changes the sign and nothing else."""
    worth, total = SQUARE_WORTH[variant, balls], 0
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
    occupied = own | other
    spots = open_cells(occupied, size)
    balls = popcount(occupied | GROUND[size])
    weights = TERM_WORTH[variant, balls]
    score = I64(weights[MOVE]) + weights[RESERVE] * (reserve - other_reserve)
    score += weights[FREE] * (popcount(free_balls(own, occupied)) - popcount(free_balls(other, occupied)))
    threat, danger = threats(own, spots), threats(other, spots)
    if variant == EXPERT:
        threat |= spots & lacking_of_rows(own)
        danger |= spots & lacking_of_rows(other)
        score += worth_of_rows(own, other, balls)
    mine, theirs = popcount(threat), popcount(danger)
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
    return score + worth_of_squares(own, other, balls, variant)
