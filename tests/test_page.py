"""The page in a browser: whole games against bots, hints, undo, reload, records, keys, narrow and dark screens.

``UPDATE_SCREENSHOTS=1 pytest -n 0 tests/test_page.py -k screenshots`` writes the pictures of the README.
"""

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium, chromium-browser or google-chrome on the path")

ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
COMMAND = (sys.executable, "-c", "from mess.search.cli import main; main()")
COMPILING = 240_000
"""Milliseconds that a first search may take, kernels being compiled before it."""
CASES = Path(__file__).parent / "data" / "cases"
RESULTS = Path(__file__).parent.parent / "results"
LARGEST_PICTURE, COLOURS = 60_000, 64
RANDOM = '{"bot":"random"}'


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of our own, until the last test of this file; nothing is solved for it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*COMMAND, "serve", "--http", f"127.0.0.1:{port}", "--searches", "1"]
    server = subprocess.Popen(command, env={**os.environ, "MESS_TABLES": str(tmp_path_factory.mktemp("tables"))})
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/health", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None, "the server has ended"
                time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield browser
        browser.close()


class Table:
    """The page, as a person handles it; what it complains of on its console fails the test."""

    def __init__(self, page, address):
        self.page, self.complaints, self.heard = page, [], []
        page.on(
            "console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text)
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("websocket", self.listen)
        page.set_default_timeout(30_000)
        page.goto(address)

    def listen(self, sock):
        sock.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def __getitem__(self, selector):
        return self.page.locator(selector)

    def deal(self, game, seed=1, bot=RANDOM, seat=0, **rules):
        """Start a game at once, with the same bot on all other seats."""
        expect(self["#setup"]).to_have_attribute("open", "")
        self["[name=game]"].select_option(game)
        for name, value in rules.items():
            control = self[f"[name=rule-{name}]"]
            if control.evaluate("e => e.tagName") == "SELECT":
                control.select_option(json.dumps(value))
            else:
                control.fill(str(value))
        for other in range(self["#seats select"].count()):
            self[f"[name=seat-{other}]"].select_option("you" if other == seat else bot)
        self["[name=seed]"].fill(str(seed))
        self["#pace"].evaluate("e => { e.value = '0' }")
        self["#setup-form .main"].click()
        self.settle()
        expect(self["#toast"], self["#toast"].text_content()).to_be_hidden()
        expect(self["#setup"]).not_to_have_attribute("open", "")
        self.settle()

    def settle(self):
        """Wait until the page has done what it was asked for, bots included."""
        expect(self["#table"]).to_have_attribute("aria-busy", "false", timeout=COMPILING)

    @property
    def is_over(self):
        return "game is over" in self["#status"].text_content()

    @property
    def steps(self):
        return self["#log li"].count()

    def choose(self, *selectors):
        """Click the first of these that can be clicked."""
        for selector in selectors:
            found = self[f"#stage {selector}"]
            if found.count():
                found.first.click()
                return self.settle()
        raise AssertionError(f"none of {selectors}: {self['#stage'].inner_html()[:2000]}")

    def hint(self):
        self["#hint"].click()
        expect(self[".hints[data-state=final]"].first).to_be_visible(timeout=COMPILING)


@pytest.fixture
def table(browser, address, request):
    context = browser.new_context(**getattr(request, "param", {}))
    table = Table(context.new_page(), address)
    yield table
    context.close()
    assert table.complaints == []


LONG = 400


def finish(table, turn):
    for _ in range(LONG):
        if table.is_over:
            return
        before = table.steps
        turn()
        assert table.steps > before
    raise AssertionError("the game does not end")


# --- whole games ---


def test_a_whole_game_of_pylos_by_mouse(table):
    table.deal("pylos", size=2)
    finish(table, lambda: table.choose(".plan .target", ".plan .source"))
    assert "light" in table["#stage .seats"].text_content()
    assert table["#stage .ball.light, #stage .ball.dark"].count() >= 4
    end = table["#status"].text_content()
    with table.page.expect_download() as download:
        table["#save"].click()
    record = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert len(record["moves"]) == table.steps
    assert record["players"] == ["person", "random"]
    table.page.reload()
    expect(table["#status"]).to_have_text(end)


def test_a_whole_hand_of_odin(table):
    table.deal("odin", players=2, limit="one-hand", bot='{"bot":"greedy"}', seed=3)

    def turn():
        card = table["#stage .hand .card:enabled"]
        if not card.count():
            return table.choose("[data-key=pass]")
        card.first.click()
        if table["#stage .target:enabled"].count() or table["[data-key=play]:enabled"].count():
            return table.choose(".target:enabled", "[data-key=play]:enabled")
        if table["[data-key=pass]"].count():
            return table.choose("[data-key=pass]")
        raise AssertionError(table["#status"].text_content())

    finish(table, turn)
    hidden = [heard["observation"] for heard in table.heard if "observation" in heard]
    assert hidden
    assert all(seen["seat"] == 0 for seen in hidden)
    assert any("?" in seen["hands"][1] for seen in hidden)


def test_a_whole_game_of_stacking(table):
    table.deal("meeples", players=1, seconds=20)
    finish(table, lambda: table.choose(".row button"))
    assert "points" in table["#status"].text_content()


@pytest.mark.slow
def test_a_whole_game_of_flaming_pyramids_by_hints(table):
    table.deal("flaming", players=6)
    table["#seconds"].select_option("0.3")

    def turn():
        table.hint()
        table[".hints .move"].first.click()
        table.settle()

    finish(table, turn)
    assert "you win" in table["#status"].text_content()


# --- hints, undo, reload ---


def test_a_hint_shows_bars_with_intervals_and_can_be_played(table):
    table.deal("odin", players=2, limit="one-hand", bot='{"level":1}')
    hand = table["#stage .hand .card"].count()
    table["#seconds"].select_option("1")
    table["#hint"].click()
    expect(table[".hints[data-state=partial]"]).to_be_visible(timeout=COMPILING)
    expect(table[".hints[data-state=final]"]).to_be_visible(timeout=COMPILING)
    labels = table[".hints .bar"].evaluate_all("bars => bars.map(bar => bar.ariaLabel)")
    assert len(labels) == hand
    for label in labels:
        win, low, high = map(int, re.findall(r"(\d+) %(?! interval)", label))
        assert low <= win <= high
    assert "you lead with" in table["#hints"].text_content()
    table[".hints .move"].first.click()
    table.settle()
    assert table.steps == 2
    assert table[".hints"].count() == 0


def test_a_solved_hint_by_points(table):
    table.deal("meeples", players=1, seconds=20)
    table.choose(".row button")
    expect(table["#stage .walls"]).to_contain_text("1 standing")
    table.hint()
    lengths = table[".hints .bar"].evaluate_all("bars => bars.map(bar => bar.firstChild.clientWidth / bar.clientWidth)")
    assert lengths[0] == 1
    assert lengths[-1] < 1
    hint = table["#hints"].text_content()
    assert "solved" in hint
    assert "interval" not in hint
    assert "iterations" not in hint
    assert "%" not in "".join(table[".hints .win"].all_text_contents())
    assert hint.count("to be expected") == 1
    assert table[".hints .interval"].count() == 0


HINTS = """async advice => {
    const { drawHints } = await import("/page/hints.js");
    const same = (text) => text;
    const root = document.getElementById("hints");
    drawHints(root, { advice }, { describe: same, words: same, play: null });
    document.getElementById("setup").close();
    document.getElementById("side").hidden = false;
}"""


def test_lost_and_certain_hints_say_so(table):
    judged = {"win": 0, "low": 0, "high": 0, "visits": 0, "mess": None, "points": None}
    moves = [{**judged, "move": "1a1", "why": "Loses in 8 plies."}, {**judged, "move": "1a2", "why": "Loses in 2."}]
    table.page.evaluate(HINTS, {"moves": moves, "iterations": 0, "method": "table", "seconds": 0.01})
    expect(table["#hints"]).to_contain_text("Lost against perfect play; these hold out longest:")
    assert table[".hints .interval"].count() == 0
    moves = [{**judged, "move": "1a1", "win": 1, "low": 0.99999, "high": 1, "visits": 9, "why": "Stands."}]
    table.page.evaluate(HINTS, {"moves": moves, "iterations": 9, "method": "mcts", "seconds": 0.01})
    assert table[".hints .bar"].evaluate(
        "bar => bar.querySelector('.interval').getBoundingClientRect().right <= bar.getBoundingClientRect().right"
    )


def test_a_slow_server_is_said_to_be_warming_up(browser, address):
    context, held = browser.new_context(), []

    def between(sock):
        server = sock.connect_to_server()

        def forward(message):
            if json.loads(message)["type"] == "new":
                held.append(lambda: server.send(message))
            else:
                server.send(message)

        sock.on_message(forward)

    page = context.new_page()
    page.route_web_socket("**", between)
    table = Table(page, address)
    expect(table["[name=seed]"]).to_be_visible()
    table["#deal"].click()
    expect(table["#deal"]).to_have_text("Dealing …")
    expect(table["dialog .warming"]).to_be_visible()
    held[0]()
    expect(table["#setup"]).not_to_be_visible()
    expect(table["dialog .warming"]).to_be_hidden()
    context.close()


def test_a_hint_can_be_ended(table):
    table.deal("pylos", size=3)
    table["#seconds"].select_option("10")
    table["#hint"].click()
    expect(table[".hints[data-state=partial]"]).to_be_visible(timeout=COMPILING)
    table.page.keyboard.press("Escape")
    expect(table["#hints"]).to_contain_text("stopped early", timeout=8_000)


def test_undo_goes_back_to_the_own_decision(table):
    table.deal("flaming", players=3)
    start = table["#stage"].inner_html()
    table["#stage .hand button"].first.click()
    table.choose(".spot")
    assert table.steps >= 3
    table["#undo"].click()
    table.settle()
    assert table.steps == 0
    assert table["#stage"].inner_html() == start
    expect(table["#undo"]).to_be_disabled()


def test_a_reload_keeps_the_game(table):
    table.deal("odin", players=2, limit="one-hand", bot='{"bot":"high"}')
    table["#stage .hand button"].last.click()
    table.choose("[data-key=play]")
    before = table["#stage"].inner_html(), table["#log"].inner_html(), table["#status"].text_content()
    table.page.reload()
    expect(table["#stage .hand"]).to_be_visible()
    table.settle()
    assert (table["#stage"].inner_html(), table["#log"].inner_html(), table["#status"].text_content()) == before
    expect(table["#setup"]).not_to_be_visible()


# --- what goes wrong, told kindly ---


def test_a_game_that_the_server_no_longer_has(table):
    table.deal("pylos", size=2)
    table.page.evaluate(
        'localStorage[\'mess.session\'] = localStorage[\'mess.session\'].replace(/"id":"[^"]*/, \'"id":"gone\')'
    )
    table.page.reload()
    expect(table["#setup .error"]).to_contain_text("no longer has your game")
    expect(table["#setup"]).to_be_visible()
    table.deal("pylos", size=2)


def test_wrong_rules_are_named(table):
    table["[name=game]"].select_option("meeples")
    table["[name=rule-builder]"].fill("nobody")
    table["#deal"].click()
    expect(table["#rules label:has([name=rule-builder][aria-invalid]) .error"]).to_contain_text("expected")
    expect(table["#toast"]).to_be_hidden()
    table["[name=rule-builder]"].fill("expert")
    expect(table["#setup .error"]).to_have_count(0)
    expect(table["[aria-invalid]"]).to_have_count(0)
    table["[name=seat-0]"].select_option('{"bot":"random"}')
    table["#deal"].click()
    expect(table["#seats .error"]).to_contain_text("choose one for yourself")


def test_a_wrong_seed_is_told_beside_it(table):
    for seed in ("seven", "-1", "12345678901234567890"):
        table["[name=seed]"].fill(seed)
        table["#deal"].click()
        expect(table["label:has([name=seed]) .error"]).to_contain_text("whole number")
        expect(table["#deal"]).to_have_text("Deal")
    table["[name=seed]"].fill("7")
    expect(table["#setup .error"]).to_have_count(0)


def test_a_record_that_is_none(table):
    table["#setup summary"].click()
    for text, reason in (("nonsense", "no JSON"), ('{"game":"pylos","moves":["9z9"]}', "record.")):
        table["[name=record]"].fill(text)
        table["#record-form button"].click()
        expect(table["#record-form .error"]).to_contain_text(reason)
    expect(table["#setup"]).to_be_visible()


def test_a_bot_that_cannot_play(table):
    table.deal("pylos", bot='{"bot":"perfect"}', take_back="may")
    table.choose(".plan .target")
    expect(table["#toast"]).to_contain_text("mess solve")
    table["#on"].click()
    table.settle()
    table["#undo"].click()
    table.settle()
    assert table.steps == 0
    assert table["#on"].is_hidden()


# --- steps, records, what if ---


def record_of(game):
    return (CASES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[0]


def test_a_record_is_stepped_through_and_branched_off(table):
    record = record_of("odin")
    moves = len(json.loads(record)["moves"])
    table["#setup summary"].click()
    table["[name=record]"].fill(record)
    table["[name=seat]"].fill("1")
    table["#record-form button"].click()
    expect(table["#ply"]).to_have_attribute("aria-valuetext", f"0 of {moves}")
    table.settle()
    table.page.keyboard.press("]")
    expect(table["#ply"]).to_have_attribute("aria-valuetext", f"1 of {moves}")
    table.settle()
    table.hint()  # of the step that is looked at, where seat 1 decides
    table["#pace"].select_option("0")
    table["#branch"].click()
    expect(table["#heading"]).to_contain_text("what if")
    table.settle()
    assert table.steps == 1
    table.choose(".hand .card:enabled", "[data-key=pass]")
    table["#back"].click()
    expect(table["#heading"]).to_contain_text("a record")
    table.settle()
    assert table.steps == moves
    assert all(heard["observation"]["seat"] == 1 for heard in table.heard if "observation" in heard)


def test_a_record_is_dropped_on_the_page(table):
    table.page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "game.json"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        record_of("flaming"),
    )
    expect(table["#heading"]).to_contain_text("a record")
    table["#last"].click()
    expect(table["#status"]).to_contain_text("The game is over")
    assert table["#stage .tile"].count()


def test_of_several_records_the_last_is_opened_and_others_can_be_chosen(table, tmp_path):
    lines = [record_of("flaming"), record_of("odin")]
    file = tmp_path / "mess-games.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table["#setup summary"].click()
    table["[name=file]"].set_input_files(file)
    expect(table["#heading"]).to_contain_text("game 2 of 2 · Odin")
    table.settle()
    log = table["#log li"].all_text_contents()
    assert any(re.match(r"you (play|pass)\b", line) for line in log)
    assert any(re.match(r"seat 1 (plays|passes)\b", line) for line in log)
    assert all(re.match(r"you |seat \d |dealer: ", line) for line in log), log
    table["#last"].click()
    expect(table["#ply"]).to_have_value(str(len(log)))
    assert table["#log"].evaluate("log => log.scrollTop") > 0
    table["#first"].click()
    expect(table["#ply"]).to_have_value("0")
    assert table["#log"].evaluate("log => log.scrollTop") == 0
    table["#record-choice"].select_option("0")
    expect(table["#heading"]).to_contain_text("game 1 of 2 · Flaming Pyramids")


def test_falls_are_shown_step_by_step(table):
    table.deal("flaming", players=2, seed=2)
    table["#pace"].evaluate("select => { select.options[1].value = '20'; select.value = '20' }")
    table.page.evaluate(
        """() => {
            window.shown = [];
            const status = document.getElementById("status");
            const look = () => window.shown.push([status.textContent, document.querySelectorAll(".fate").length]);
            new MutationObserver(look).observe(status, { childList: true });
        }"""
    )
    for _ in range(8):
        if table["#stage .hand button:enabled"].count():
            table["#stage .hand button:enabled"].first.click()
        table.choose(".spot")
    shown = table.page.evaluate("window.shown")
    collapse = next(i for i, (text, _) in enumerate(shown) if "does not fit" in text)
    assert shown[collapse][1] >= 2
    assert re.search(r"\d tiles? taken by", shown[collapse + 1][0])
    log = table["#log li"].all_text_contents()
    assert all(re.match(r"(you|seat 1) (places?|lets?) [A-Z]\d* |die: ", line) for line in log), log
    collapses = 0
    for ply in range(len(log), 0, -1):
        if "brings down" in log[ply - 1]:
            collapses += 1
            assert table["#stage .tile.gone .fate"].count() == table["#stage .tile.gone"].count() > 0, log[ply - 1]
        table["#earlier"].click()
        expect(table["#ply"]).to_have_value(str(ply - 1))
        table.settle()
    assert collapses


def test_what_if_from_an_earlier_step(table):
    table.deal("pylos", size=3)
    for _ in range(2):
        table.choose(".plan .target")
    for ply in (3, 2):
        table["#earlier"].click()
        expect(table["#ply"]).to_have_value(str(ply))
    table.settle()
    table["#branch"].click()
    expect(table["#heading"]).to_contain_text("what if")
    table.settle()
    assert table.steps == 2
    table.choose(".plan .target")
    table.hint()
    table["#back"].click()
    expect(table["#heading"]).not_to_contain_text("what if")
    table.settle()
    assert table.steps == 4


# --- who sees what ---


def test_hidden_cards_never_reach_the_page(table):
    """Of what the server says, only cards that lie open may be of others, also when the next hand is dealt."""
    table.deal("odin", players=2, limit=10, bot='{"bot":"greedy"}', seed="")

    def turn():
        cards = table["#stage .hand .card:enabled"]
        if cards.count():
            cards.first.click()
        table.choose(".target:enabled", "[data-key=play]:enabled", "[data-key=pass]")

    for _ in range(LONG):
        if table["#log"].text_content().count("dealer") or table.is_over:
            break
        turn()
    assert "dealer" in table["#log"].text_content()
    dealt = [move for heard in table.heard for move in heard.get("chance", [])]
    assert set(dealt) == {"deal"}
    assert {step["move"] for heard in table.heard for step in heard.get("told", []) if step["by"] < 0} == {"deal"}
    assert all(heard["observation"]["seat"] == 0 for heard in table.heard if "observation" in heard)


def test_the_token_goes_with_every_request(browser, address):
    """Also without a socket, when each request is posted."""
    for is_open in (True, False):
        context, sockets, tokens = browser.new_context(), [], []
        page = context.new_page()
        if not is_open:
            page.route_web_socket("**", lambda socket: socket.close())
        page.on("websocket", lambda socket, sockets=sockets: sockets.append(socket.url))
        page.on("request", lambda request, tokens=tokens: tokens.append(request.headers.get("authorization")))
        table = Table(page, f"{address}/#token=a%20secret")
        table.deal("pylos", size=2)
        table.choose(".plan .target")
        assert table.steps == 2
        assert (tokens.count("Bearer a secret") >= 4) != is_open
        assert any(url.endswith("?token=a+secret") for url in sockets) == is_open
        context.close()


# --- keys, screens, colours ---


def press_until(table, key, selector):
    for _ in range(60):
        if table.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        table.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {selector}")


def test_by_keyboard_alone(table):
    keys = table.page.keyboard
    expect(table["#setup"]).to_be_visible()
    press_until(table, "Tab", "[name=game]")
    keys.type("Pylos")
    press_until(table, "Tab", "[name=rule-size]")
    keys.type("2")
    press_until(table, "Tab", "[name=seat-1]")
    keys.type("random")
    press_until(table, "Tab", "#deal")
    keys.press("Enter")
    expect(table["#setup"]).not_to_be_visible()
    table.settle()
    press_until(table, "Tab", "#pace")
    keys.type("at once")
    press_until(table, "Shift+Tab", "#stage [data-key]")
    press_until(table, "ArrowLeft", "[data-key='1a1']")
    press_until(table, "ArrowUp", "[data-key='1a2']")
    keys.press("Enter")
    table.settle()
    assert table.steps == 2
    assert table.page.evaluate("document.activeElement.closest('#stage') !== null")
    keys.press("?")
    expect(table[".hints[data-state=final]"]).to_be_visible(timeout=COMPILING)
    keys.press("u")
    expect(table["#log li"]).to_have_count(0)
    for _ in range(LONG):
        table.settle()
        if table.is_over:
            break
        press_until(table, "Tab", "#stage [data-key]")
        keys.press("Enter")
    assert table.is_over
    keys.press("n")
    expect(table["#setup"]).to_be_visible()
    keys.press("Escape")
    expect(table["#setup"]).not_to_be_visible()


NARROW = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("table", [NARROW], indirect=True, ids=["narrow"])
def test_narrow_screens_do_not_scroll_sideways(table):
    for game, rules in (("flaming", {"players": 6}), ("odin", {"players": 6}), ("pylos", {}), ("meeples", {})):
        table.deal(game, **rules)
        if game == "flaming":
            table["#stage .hand button"].first.tap()
            table["#stage .spot"].first.tap()
            table.settle()
        assert table.page.evaluate("document.documentElement.scrollWidth") <= 360, game
        table["#new"].click()
        assert table.page.evaluate("document.querySelector('#setup').scrollWidth") <= 360, game
        expect(table["#deal"]).to_be_in_viewport(ratio=1)
    table["[name=seed]"].fill("x")
    table["#deal"].click()
    expect(table["#setup .error"]).to_be_in_viewport(ratio=1)
    boxes = [table[one].bounding_box() for one in ("#setup .error", "#deal")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    table["[name=seed]"].fill("1")
    table.deal("odin", players=2, limit="one-hand")
    table.hint()
    expect(table[".hints .bar"].first).to_be_in_viewport(ratio=1)
    expect(table[".hints .bar"].nth(2)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("table", [{"color_scheme": "dark", "reduced_motion": "reduce"}], indirect=True, ids=["dark"])
def test_dark_as_the_system_has_it_or_as_chosen(table):
    def brightness():
        colour = table["body"].evaluate("body => getComputedStyle(body).backgroundColor")
        return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3

    table.deal("pylos", size=2)
    assert brightness() < 64
    table["#theme"].click()
    assert brightness() > 192
    table.page.reload()
    expect(table["#theme"]).to_have_attribute("aria-label", "Colours: light")
    assert brightness() > 192
    table["#theme"].click()
    assert brightness() < 64
    assert (
        table["body"].evaluate("() => getComputedStyle(document.querySelector('.hints, #hints')).transitionDuration")
        == "0s"
    )


def test_everything_that_can_be_chosen_has_a_name(table):
    for game in ("flaming", "odin", "pylos", "meeples"):
        table.deal(game)
        nameless = table["button, [role=button], select, input"].evaluate_all(
            r"all => all.filter(e => !/\p{L}{3}/u.test(e.ariaLabel ?? e.labels?.[0]?.textContent ?? e.textContent))"
            ".map(e => e.outerHTML)"
        )
        assert nameless == [], game
        table["#new"].click()


# --- pictures for the README ---

PICTURES = {
    "flaming": ({"players": 3, "seed": 5}, "light", 11),
    "odin": ({"players": 4, "limit": "one-hand", "seed": 3, "bot": '{"bot":"greedy"}'}, "dark", 3),
    "pylos": ({"seed": 1, "bot": '{"bot":"greedy"}'}, "light", 6),
    "meeples": ({"players": 2, "seconds": 60, "seed": 2, "bot": '{"bot":"steady-rows"}'}, "dark", 9),
}
"""By game: its rules, the colours, and how many hints are followed before the picture is taken."""


@pytest.mark.skipif("UPDATE_SCREENSHOTS" not in os.environ, reason="UPDATE_SCREENSHOTS is not set")
@pytest.mark.parametrize("game", PICTURES)
def test_screenshots(browser, address, game):
    image = pytest.importorskip("PIL.Image")
    rules, colours, turns = PICTURES[game]
    context = browser.new_context(color_scheme=colours, viewport={"width": 900, "height": 620})
    table = Table(context.new_page(), address)
    table.deal(game, **rules)
    for _ in range(turns):
        table.hint()
        table[".hints .move"].first.click()
        table.settle()
    table.hint()
    picture = RESULTS / f"page-{game}.png"
    shot = table.page.screenshot(animations="disabled")
    context.close()
    image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
    assert table.complaints == []
    assert picture.stat().st_size <= LARGEST_PICTURE
