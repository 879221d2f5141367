"""Matches on a Dask cluster: the same files as on one machine, whatever is lost on the way."""

import logging
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import dask
import pytest
from distributed import Client, LocalCluster
from mess.benchmarks import cluster as cluster_module
from mess.benchmarks.crew import crew
from mess.benchmarks.match import match, set_up
from mess.benchmarks.rate import open_pool, rate
from mess.benchmarks.tune import Tuning, read_vary, tune
from mess.search import cli
from mess.solver.errors import InputError

ODIN = ("greedy", "random")
DEALS = 90


@pytest.fixture(scope="module")
def address():
    """The scheduler of two worker processes; it gives up a task once two of them ended on it."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL) as made,
    ):
        yield made.scheduler_address


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of a match that one process played."""
    out = tmp_path_factory.mktemp("cluster") / "whole"
    played(out, workers=1)
    return out.read_bytes()


def played(out, **options):
    return match("odin", ODIN, deals=DEALS, seed=3, out=out, progress=False, **options)


def lines(out):
    return out.read_bytes().count(b"\n") if out.exists() else 0


def once_begun(out, action):
    """Do something in a thread as soon as a match has written its first block."""

    def wait():
        while lines(out) < 2:
            time.sleep(0.002)
        at.append(lines(out))
        action()

    at = []
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread, at


def workers(address):
    """Address and process id of every worker."""
    with Client(address, set_as_default=False) as client:
        return client.run(os.getpid)


def test_a_killed_worker_costs_time_alone(tmp_path, address, whole):
    out = tmp_path / "match"
    victim = next(iter(workers(address).values()))
    thread, at = once_begun(out, lambda: os.kill(victim, signal.SIGKILL))
    result = played(out, cluster=address)
    thread.join()
    assert at[0] < DEALS, "it was over before the worker was killed"
    assert victim not in workers(address).values()
    assert out.read_bytes() == whole
    assert (len(result.blocks), result.fresh) == (DEALS, 2 * DEALS)


def test_a_rating_and_a_race_come_to_the_same_files(tmp_path, address):
    asked = {"game": "odin", "rules": {"limit": "one-hand"}, "seed": 3}
    for name, far in (("here", None), ("far", address)):
        pool = open_pool(
            bots=("random", "greedy", "keep-sets"), players=2, opening=None, folder=tmp_path / name / "rate", **asked
        )
        with crew(None if far else 1, far) as work:
            assert rate(pool, 12, work, far is not None, progress=False)
        tuning = Tuning(
            bot="mcts@5", vary=read_vary("exploration=0.2:2"), candidates=2, deals=3, sprt="0,90", most=9, **asked
        )
        tune(tuning, folder=tmp_path / name / "tune", workers=None if far else 1, cluster=far, progress=False)
    here, far = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.json*")}
        for name in ("here", "far")
    )
    assert here == far and len(here) > 5


def test_answers_come_in_order_and_errors_as_they_are(address):
    with crew(cluster=address) as on_cluster:
        assert list(on_cluster(partial(math.pow, 2), range(200))) == [2.0**n for n in range(200)]
        roots = on_cluster(math.sqrt, [4, 9, -1, 16])
        assert [next(roots), next(roots)] == [2, 3]
        with pytest.raises(ValueError, match="math domain error"):
            next(roots)
        left = on_cluster(time.sleep, [0, 1, 1, 1])
        next(left)
        left.close()
        assert list(on_cluster(abs, [])) == []


def test_a_task_that_ends_every_worker_ends_the_row_in_one_line(address):
    told = r"cluster: expected workers that last, each that was given task 3 ended early"
    with crew(cluster=address) as on_cluster, pytest.raises(InputError, match=told):
        list(on_cluster(os._exit, [3]))


def test_a_strategy_travels_along(tmp_path, address, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text("def choose(observation, moves):\n    return moves[99]\n")
    (tmp_path / "ember.toml").write_text('name = "Ember"\ngame = "flaming"\nbot = "smallest-mess"\n')
    files = [tmp_path / "here", tmp_path / "there"]
    for out, where in zip(files, ({"workers": 1}, {"cluster": address}), strict=True):
        played = match("flaming", ("my_bot.py", "ember.toml"), deals=2, out=out, progress=False, **where)
        assert played.forfeits()[0][2].reason == "my_bot.py, line 2: IndexError: list index out of range"
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_a_bot_plays_by_is_the_same_everywhere(tmp_path):
    setup = set_up("pylos", ("level10", "random"), 0, {"size": 2})[0].packed()
    setup.bot(0)
    other = replace(setup, luggage=setup.luggage._replace(solved=not setup.luggage.solved))
    assert other.bot(1).name == "random"
    with pytest.raises(InputError, match="bots: expected a solution for level10 on every machine or on none"):
        other.bot(0)
    other = replace(setup, sources=(None, "package 1.0"))
    with pytest.raises(InputError, match="bots: expected random to be on every machine what it is"):
        other.bot(1)


@pytest.fixture
def refused(tmp_path, capfd):
    """Checks that ``mess match --cluster ADDRESS`` says one line and leaves a file as it is."""

    def check(told, *options, out=tmp_path / "match"):
        before = out.read_bytes() if out.exists() else None
        arguments = ["match", "odin", *ODIN, "--deals", str(DEALS), "--seed", "3", "--out", str(out), "--quiet"]
        assert cli.run([*arguments, *options]) == 2
        output = capfd.readouterr()
        assert output.out == "" and output.err.startswith("mess: ") and output.err.count("\n") == 1, output.err
        assert told in output.err
        assert (out.read_bytes() if out.exists() else None) == before

    return check


def test_workers_of_another_version_are_refused(refused, address, monkeypatch):
    ours = cluster_module.identity()
    for other in (ours._replace(python="3.99"), ours._replace(package="9.9"), ours._replace(sources="f00")):
        monkeypatch.setattr(cluster_module, "identity", lambda other=other: other)
        refused(f"mess: cluster: expected workers that run {other}; tcp://", "--cluster", address)
    monkeypatch.undo()
    monkeypatch.setattr(cluster_module, "PROBE", cluster_module.PROBE.replace("identity", "no_such_thing"))
    refused("none of it, or an older one; AttributeError", "--cluster", address)


def test_a_worker_that_comes_later_is_compared_too(address, monkeypatch):
    with crew(cluster=address) as on_cluster:
        other = cluster_module.identity()._replace(package="9.9")
        monkeypatch.setattr(cluster_module, "identity", lambda: other)
        with pytest.raises(InputError, match=r"cluster: expected workers that run .* 9\.9, .*; one runs .* sources "):
            list(on_cluster(abs, [1]))


def test_an_address_where_no_cluster_is(refused, address, monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECTING", 1.0)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        refused("expected a Dask scheduler at tcp://", "--cluster", f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    refused("expected a Dask scheduler at tcp://127.0.0.1:1; ", "--cluster", "tcp://127.0.0.1:1")
    refused("expected a Dask scheduler at post://office; ", "--cluster", "post://office")
    worker = next(iter(workers(address)))
    refused(f"expected a Dask scheduler at {worker}; there is a Worker", "--cluster", worker)
    refused("expected the address of a Dask scheduler, got ''", "--cluster", "")
    refused("workers: expected a number of workers or a cluster", "--cluster", "tcp://127.0.0.1:1", "--workers", "2")
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused("expected distributed to be installed", "--cluster", "tcp://127.0.0.1:1")


def test_a_match_outlives_its_scheduler(tmp_path, whole, refused):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = []

    def start(*command):
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--no-dashboard"], stderr=subprocess.DEVNULL, cwd=tmp_path
        )
        running.append(process)
        return process

    address, out = f"tcp://127.0.0.1:{port}", tmp_path / "match"
    serve = ("scheduler", "--host", "127.0.0.1", "--port", str(port))
    work = ("worker", address, "--no-nanny", "--nthreads", "2")
    try:
        scheduler = start(*serve)
        start(*work)
        thread, at = once_begun(out, scheduler.kill)
        kept = tmp_path / "kept"
        with pytest.raises(InputError, match=r"cluster: expected the scheduler at .* to stay, it has gone"):
            played(out, cluster=address)
        thread.join()
        assert at[0] <= lines(out) <= DEALS
        kept.write_bytes(out.read_bytes())
        assert whole.startswith(kept.read_bytes())
        start(*serve)
        start(*work)
        result = played(out, cluster=address)
        assert out.read_bytes() == whole
        assert 0 < result.fresh < 2 * DEALS
    finally:
        for process in running:
            process.kill()
            process.wait()
