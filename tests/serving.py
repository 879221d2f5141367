"""A service to ask in tests: answers as the objects that a client would get."""

import json
import queue
from typing import Any

from mess.search.serving.limits import Limits
from mess.search.serving.messages import encode
from mess.search.serving.service import Client, Service


class NoPool:
    """Stands in for the worker processes where nothing is to be searched."""

    def __init__(self, limits: Limits) -> None:
        self.load: dict[str, float] = {}
        self.jobs: list[Any] = []

    def submit(self, job: Any) -> None:
        self.jobs.append(job)

    def stop(self, job: Any) -> None:
        job.stopped = True

    def close(self) -> None:
        pass


class Asker:
    """A client of a service."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.later: queue.Queue[dict[str, Any]] = queue.Queue()
        self.client = Client(lambda answer: self.later.put(json.loads(encode(answer))))
        self.count = 0

    def raw(self, text: bytes | str) -> dict[str, Any] | None:
        answer = self.service.handle(text, self.client)
        return None if answer is None else json.loads(encode(answer))

    def send(self, type: str, **fields: Any) -> dict[str, Any] | None:
        self.count += 1
        return self.raw(json.dumps({"id": self.count, "type": type, **fields}))

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The final answer, waited for."""
        answer = self.send(type, **fields)
        number = self.count
        while answer is None or answer.get("partial"):
            answer = self.later.get(timeout=120)
        assert answer["id"] == number
        return answer

    def fine(self, type: str, **fields: Any) -> dict[str, Any]:
        answer = self.ask(type, **fields)
        assert "error" not in answer, answer
        assert answer["type"] == type
        return answer

    def wrong(self, type: str, **fields: Any) -> str:
        """The field that is said to be wrong."""
        answer = self.ask(type, **fields)
        assert set(answer) == {"id", "error", "field"}, answer
        return answer["field"]
