"""The page in a browser: whole games against bots, hints, undo, reload, records, keys, narrow and dark screens.

``UPDATE_SCREENSHOTS=1 pytest -n 0 tests/test_page.py -k screenshots`` writes the pictures of the README.
"""

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
RESULTS = Path(__file__).parent.parent / "results"
LARGEST_PICTURE = 60_000
RANDOM = '{"bot":"random"}'


@pytest.fixture(scope="module")
def address():
    """A server of our own, until the last test of this file."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*COMMAND, "serve", "--http", f"127.0.0.1:{port}", "--searches", "1"]
    server = subprocess.Popen(command)
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
        page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
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


@pytest.fixture()
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
    table.deal("flaming", players=2)
    table["#seconds"].select_option("0.3")

    def turn():
        table.hint()
        table[".hints .move"].first.click()
        table.settle()

    finish(table, turn)
    assert "you win" in table["#status"].text_content()
