"""JSON spoilt at random: what a reader must refuse, or find good in every way."""

import copy

from hypothesis import strategies as st


def garbage(numbers, words):
    """Strategy for JSON values of all kinds, among them some numbers and words of a game."""
    scalars = st.one_of(st.none(), st.booleans(), numbers, st.floats(), st.sampled_from(words), st.text(max_size=4))
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    )


def nodes(data, path=()):
    """Paths of all values inside a JSON value."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from nodes(value, (*path, key))


def parent(data, path):
    """What holds the value at the end of a path."""
    for key in path[:-1]:
        data = data[key]
    return data


@st.composite
def spoilt(draw, good, rubbish, kinds):
    """One of some good objects with up to three changes of some kinds."""
    data = copy.deepcopy(good[draw(st.sampled_from(sorted(good)))])
    for _ in range(draw(st.integers(1, 3))):
        # A field first, then a node in it: else nearly all that changes would be in the longest.
        field = draw(st.sampled_from(sorted(data)))
        paths = [(field,), *nodes(data[field], (field,))]
        path = draw(st.sampled_from(paths))
        place, key = parent(data, path), path[-1]
        match draw(st.sampled_from(kinds)):
            case "delete":
                del place[key]
            case "replace":
                place[key] = draw(rubbish)
            case "near" if type(place[key]) is int:
                place[key] += draw(st.sampled_from([-1, 1]))
            case "swap" | "swap anywhere" as how:
                other = draw(st.sampled_from(paths if how == "swap" else list(nodes(data))))
                if path != other[: len(path)] and other != path[: len(other)]:
                    there = parent(data, other)
                    place[key], there[other[-1]] = there[other[-1]], place[key]
            case "move" if isinstance(place, list):
                lists = [at for at in nodes(data) if isinstance(parent(data, (*at, 0)), list)]
                parent(data, (*draw(st.sampled_from(lists)), 0)).append(place.pop(key))
            case "duplicate" if isinstance(place, list):
                place.insert(key, copy.deepcopy(place[key]))
        if not data:
            break
    return data
