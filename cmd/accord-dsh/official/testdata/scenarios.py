"""Scenarios for the official Python SDK, unchanged, against a runtime.

    scenarios.py NAME --bin RUNTIME --home DIR --cwd DIR
    scenarios.py --list

Each scenario is a function that asserts; the process exits 0 when all hold.
The prompts are commands of the demo agent.
"""

import argparse
import json
import os
import sys
import threading
import time
import traceback
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deepseek_harness import DeepSeekHarness, HarnessClient, HarnessConfig
from deepseek_harness.errors import JsonRpcError, TransportClosedError

ARGS = None
SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


class Anything(BaseModel):
    """Any result, as it was sent."""

    model_config = ConfigDict(extra="allow")


def harness(**options):
    options.setdefault("provider", "demo")
    options.setdefault("model", "demo-model")
    if GENERATION == "0.1":
        return DeepSeekHarness(runtime_bin=ARGS.bin, session_root=ARGS.home, cwd=ARGS.cwd, **options)
    return DeepSeekHarness(dsh_bin=ARGS.bin, dsh_home=ARGS.home, cwd=ARGS.cwd, **options)


GENERATION = "0.2"


def request(h, method, params):
    return h.client.request(method, params, response_model=Anything).model_dump()


def refused(function, *words):
    """The refusal of a call, which must be a JSON-RPC error of -32603."""
    try:
        function()
    except JsonRpcError as error:
        assert error.code == -32603, error
        for word in words:
            assert word in error.message, f"{word!r} is not in {error.message!r}"
        return error
    raise AssertionError("the call was not refused")


def together(*functions):
    """Run functions at the same time; their results in order."""
    results = [None] * len(functions)

    def call(index, function):
        try:
            results[index] = function()
        except BaseException as error:  # noqa: BLE001 - reported below
            results[index] = error

    threads = [threading.Thread(target=call, args=pair, daemon=True) for pair in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive(), "a call never returned"
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def event_types(result):
    return [event["type"] for event in result.events]


def eventually(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what} never came"
        time.sleep(0.005)


class Gate:
    """Lets one thread wait for another's notification."""

    def __init__(self, predicate):
        self.predicate = predicate
        self.event = threading.Event()

    def __call__(self, notification):
        if self.predicate(notification):
            self.event.set()

    def wait(self):
        assert self.event.wait(10), "the notification never came"


def of_type(kind):
    return lambda n: n.method == "session.event" and n.payload["event"]["type"] == kind


def is_delta(notification):
    return notification.method in ("session.delta",) or of_type("assistant/chunk")(notification)


@scenario
def run():
    with harness() as h:
        result = h.run("say hello world")
        assert result.final_response == "hello world", result.final_response
        assert result.finish_reason == "completed", result.finish_reason
        types = event_types(result)
        assert types[0] == "agent/inbox/spliced", types
        mine = [e for e in result.events if e["type"] == "user/message" and e["data"]["source"]["kind"] == "user"]
        assert [m["data"]["id"] for m in mine] == [result.events[0]["data"]["inserted"][0]["id"]], mine
        for kind in ("turn/start", "step/start", "assistant/message", "step/end", "turn/end"):
            assert types.count(kind) == 1, (kind, types)
        seqs = [event["seq"] for event in result.events]
        assert seqs == sorted(set(seqs)), seqs
        last = result.notifications[-1]
        assert (last.method, last.payload["status"]) == ("session.status", "idle"), last


@scenario
def run_text_of_every_kind():
    texts = ["héllo wörld", "完成了 🎉", "tab\tand \\ and \"quotes\"", "raw \u2028\u2029 separators", "<script>&amp;</script>"]
    with harness() as h:
        s = h.start_session()
        for text in texts:
            assert s.run("say " + text).final_response == text, text


@scenario
def run_several_turns_on_one_session():
    with harness() as h:
        s = h.start_session("several")
        for n in range(5):
            result = s.run(f"say answer {n}")
            assert result.final_response == f"answer {n}"
            turns = [e["data"]["turn"] for e in result.events if e["type"] == "turn/start"]
            assert turns == [n + 1], turns


@scenario
def history_is_remembered():
    with harness() as h:
        s = h.start_session("memory")
        s.run("remember colour blue")
        assert "blue" in s.run("recall colour").final_response
        other = h.start_session("other")
        assert "blue" not in other.run("recall colour").final_response


@scenario
def content_blocks():
    with harness() as h:
        result = h.run([{"type": "text", "text": "say from "}, {"type": "text", "text": "blocks"}])
        assert result.finish_reason == "completed"
        message = [e for e in result.events if e["type"] == "user/message" and e["data"]["source"]["kind"] == "user"][0]
        assert [b["text"] for b in message["data"]["content"]] == ["say from ", "blocks"]


@scenario
def callbacks():
    seen = []
    with harness() as h:
        result = h.run("count 8 5ms", on_notification=seen.append)
        assert seen == result.notifications
        deltas = [n for n in seen if n.method == "session.delta"]
        assert deltas, "no deltas were handed to the callback"
        joined = "".join(n.payload.get("text", "") for n in deltas if n.payload["kind"] == "text")
        assert joined.strip() == result.final_response.strip(), (joined, result.final_response)
        first = next(i for i, n in enumerate(seen) if is_delta(n))
        message = next(i for i, n in enumerate(seen) if of_type("assistant/message")(n))
        assert first < message, "the deltas came after the message"


@scenario
def two_runs_at_once_on_one_session():
    for attempt in range(3):
        with harness() as h:
            s = h.start_session(f"two-{attempt}")
            one, two = together(
                lambda: s.run("sleep 150ms\nsay ANSWER-ONE"),
                lambda: s.run("sleep 150ms\nsay ANSWER-TWO"),
            )
            assert one.final_response == "ANSWER-ONE", one.final_response
            assert two.final_response == "ANSWER-TWO", two.final_response


@scenario
def a_run_behind_a_busy_one():
    with harness() as h:
        s = h.start_session("behind")
        started = Gate(of_type("turn/start"))

        def second():
            started.wait()
            return s.run("say SECOND")

        first, after = together(lambda: s.run("count 20 10ms\nsay FIRST", on_notification=started), second)
        assert first.final_response.endswith("FIRST"), first.final_response
        assert after.final_response == "SECOND", after.final_response
        assert max(e["seq"] for e in first.events) < min(e["seq"] for e in after.events)


@scenario
def many_runs_at_once_on_one_session():
    with harness() as h:
        s = h.start_session("crowd")
        count = 12
        results = together(*[(lambda n=n: s.run(f"sleep 10ms\nsay own-{n}")) for n in range(count)])
        assert [r.final_response for r in results] == [f"own-{n}" for n in range(count)]


@scenario
def a_run_behind_a_failing_one():
    with harness() as h:
        s = h.start_session("failing-first")
        started = Gate(of_type("turn/start"))

        def second():
            started.wait()
            return s.run("say still here")

        first, after = together(lambda: s.run("sleep 100ms\nfail on purpose", on_notification=started), second)
        assert first.finish_reason == "error", first.finish_reason
        assert (after.finish_reason, after.final_response) == ("completed", "still here"), after


@scenario
def sixteen_sessions_at_once():
    with harness() as h:
        def one(n):
            seen = []
            result = h.run(f"count 20 5ms\nsay done-{n}", session_id=f"s{n}", on_notification=seen.append)
            assert result.final_response.endswith(f"done-{n}"), result.final_response
            assert {m.payload["sessionId"] for m in seen} == {f"s{n}"}
            return result

        together(*[(lambda n=n: one(n)) for n in range(16)])


@scenario
def tools():
    with harness() as h:
        result = h.run("say before\ntool bash 20ms\nsay after")
        assert result.final_response == "after", result.final_response
        types = event_types(result)
        assert types.count("tool/call") == 1 and types.count("tool/result") == 1, types
        assert types.index("tool/call") < types.index("tool/result")
        assert types.count("step/start") == types.count("step/end") == 2, types
        messages = [e for e in result.events if e["type"] == "assistant/message"]
        calls = [b for b in messages[0]["data"]["message"]["content"] if b["type"] == "tool-call"]
        assert len(calls) == 1, messages[0]
        answer = next(e for e in result.events if e["type"] == "tool/result")["data"]["message"]
        assert (answer["role"], answer["isError"]) == ("tool", False), answer
        assert answer["source"]["callId"] == answer["toolCallId"]


@scenario
def a_permission_that_nobody_can_give():
    with harness() as h:
        result = h.run("ask bash\nsay went on")
        assert (result.finish_reason, result.final_response) == ("completed", "went on"), result
        answer = next(e for e in result.events if e["type"] == "tool/result")["data"]["message"]
        assert answer["isError"] is True, answer


@scenario
def a_child_in_the_background():
    with harness() as h:
        collected = []
        with h.client.subscribe_session_notifications("parent") as tree:
            result = h.run("child say from the child\nsay parent done", session_id="parent")
            assert result.finish_reason == "completed"
            request(h, "session/wait", {"sessionId": "parent"})
            tree.drain(collected.append)
        started = [i for i, n in enumerate(collected) if n.method == "subagent.started"]
        assert len(started) == 1, [n.method for n in collected]
        child = collected[started[0]].payload["childSessionId"]
        frames = [i for i, n in enumerate(collected) if n.payload.get("sessionId") == child]
        assert frames and frames[0] > started[0], "a child's frame came before subagent.started"
        finished = [n for n in collected if n.method == "subagent.finished"]
        assert [n.payload["childSessionId"] for n in finished] == [child], finished
        assert (finished[0].payload["status"], finished[0].payload["stopReason"]) == ("ok", "completed"), finished
        assert finished[0].payload["parentSessionId"] == "parent"
        idles = [n for n in collected if n.method == "session.status" and n.payload["sessionId"] == "parent"]
        assert idles[-1].payload["status"] == "idle"


@scenario
def a_child_that_the_turn_awaits():
    with harness() as h:
        result = h.run("child! say from the child\nsay parent done", session_id="awaiting")
        assert (result.finish_reason, result.final_response) == ("completed", "parent done"), result.final_response
        started = [n for n in result.notifications if n.method == "subagent.started"]
        assert len(started) == 1, [n.method for n in result.notifications]
        child = started[0].payload["childSessionId"]
        ends = [
            (n.payload["sessionId"], i)
            for i, n in enumerate(result.notifications)
            if of_type("turn/end")(n)
        ]
        assert [name for name, _ in ends] == [child, "awaiting"], ends


@scenario
def failing_turns():
    with harness() as h:
        s = h.start_session("failing")
        result = s.run("say half\nfail no luck today")
        assert result.finish_reason == "error", result.finish_reason
        end = [e for e in result.events if e["type"] == "turn/end"][-1]
        assert "no luck today" in end["data"]["reason"]["error"]["message"], end
        again = s.run("say fine now")
        assert (again.finish_reason, again.final_response) == ("completed", "fine now")


@scenario
def working_directory():
    cwd = os.path.realpath(ARGS.cwd)
    os.makedirs(os.path.join(cwd, "sub"), exist_ok=True)
    with harness() as h:
        s = h.start_session("wd")
        assert s.get_working_directory() == cwd
        assert s.set_working_directory("sub") == os.path.join(cwd, "sub")
        assert s.get_working_directory() == os.path.join(cwd, "sub")
        assert s.set_working_directory(os.path.join(cwd, "sub")) == os.path.join(cwd, "sub")
        refused(lambda: s.set_working_directory("nowhere"), 'working-directory: directory does not exist: "nowhere"')
        refused(lambda: s.set_working_directory(""), "working-directory: cd must not be empty")
        assert s.get_working_directory() == os.path.join(cwd, "sub")
        result = s.run("say still talking")
        assert result.final_response == "still talking"
        assert h.start_session("wd-other").get_working_directory() == cwd


@scenario
def resume_of_a_session_that_was_closed():
    with harness() as h:
        s = h.start_session("again")
        s.run("remember number 41")
        closed = request(h, "session/close", {"sessionId": "again"})
        assert closed["closed"] is True and closed["outcome"] == "clean", closed
        s = h.resume_session("again")
        result = s.run("recall number")
        assert "41" in result.final_response, result.final_response
        first = [e["seq"] for e in result.events][0]
        assert first > 7, first


@scenario
def a_prompt_continues_a_session_that_was_closed():
    with harness() as h:
        s = h.start_session("continued")
        s.run("remember number 42")
        request(h, "session/close", {"sessionId": "continued"})
        result = s.run("recall number")
        assert "42" in result.final_response, result.final_response


def recalls(h, value):
    result = h.run("recall color", session_id="order-42")
    assert result.finish_reason == "completed" and value in result.final_response, (result.finish_reason, result.final_response)


@scenario
def a_session_in_a_new_process():
    """A session is continued by another process: by a prompt alone, and resumed first."""
    with harness() as h:
        assert h.run("remember color blue", session_id="order-42").finish_reason == "completed"
    with harness() as h:
        recalls(h, "blue")
    with harness() as h:
        h.resume_session("order-42")
        recalls(h, "blue")


@scenario
def a_session_whose_process_was_killed():
    """What a process stored before it was killed in the middle of a turn is there."""
    before = runtimes()
    h = harness()
    h.run("remember color red", session_id="order-42")
    gate = Gate(is_delta)

    def speak():
        try:
            h.run("say one\nsleep 10m", session_id="order-42", on_notification=gate)
        except Exception:  # noqa: BLE001 - the runtime is killed
            pass

    thread = threading.Thread(target=speak, daemon=True)
    thread.start()
    gate.wait()
    for process in runtimes() - before:
        os.kill(process, 9)
    thread.join(10)
    assert not thread.is_alive(), "the run never returned"
    try:
        h.close()
    except Exception:  # noqa: BLE001 - it has no runtime any more
        pass
    with harness() as again:
        recalls(again, "red")


def runtimes():
    """The processes that this one has started."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        found.update(int(pid) for pid in (task / "children").read_text().split())
    return found


@scenario
def two_workers_on_one_session():
    """The second learns why it has to wait, and has the session once the first has ended."""
    first, second = harness(), harness()
    try:
        first.run("remember color green", session_id="order-42")
        refused(lambda: second.resume_session("order-42"), "already owned by an active write handle")
        refused(lambda: second.run("recall color", session_id="order-42"), "order-42")
        first.close()
        recalls(second, "green")
    finally:
        second.close()


@scenario
def resume_refusals():
    with harness() as h:
        refused(lambda: h.resume_session("nope"), 'session "nope" not found')
        h.run("say hi", session_id="live")
        refused(lambda: h.resume_session("live"), "SDK session is already open or opening: live")


@scenario
def wait_and_cancel_by_raw_request():
    with harness() as h:
        s = h.start_session("stop")
        speaking = Gate(is_delta)

        def stop():
            speaking.wait()
            return request(h, "session/cancel", {"sessionId": "stop"})

        begun = time.monotonic()
        result, stopped = together(lambda: s.run("count 1000 20ms", on_notification=speaking), stop)
        assert time.monotonic() - begun < 5
        assert (stopped["cancelled"], stopped["effect"]) == (True, "stopping"), stopped
        assert result.finish_reason == "aborted", result.finish_reason
        assert result.final_response.startswith("1 "), result.final_response
        message = [e for e in result.events if e["type"] == "assistant/message"][-1]
        assert message["data"]["interrupted"] is True, message
        idle = request(h, "session/wait", {"sessionId": "stop"})
        assert idle.get("idle", True) is True, idle
        assert request(h, "session/cancel", {"sessionId": "stop"})["effect"] == "idle"
        assert request(h, "session/cancel", {"sessionId": "unheard-of"})["effect"] == "unknown"
        assert s.run("say on").final_response == "on"


@scenario
def wait_covers_background_work():
    with harness() as h:
        begun = time.monotonic()
        h.run("child sleep 300ms\nsay started", session_id="covering")
        request(h, "session/wait", {"sessionId": "covering"})
        assert time.monotonic() - begun >= 0.3
        refused(lambda: request(h, "session/wait", {"sessionId": "nope"}), "unknown SDK session: nope")


@scenario
def close_one_session_of_two():
    with harness() as h:
        h.run("say a", session_id="a")
        speaking = Gate(is_delta)

        def close_a():
            speaking.wait()
            return request(h, "session/close", {"sessionId": "a"})

        b, closed = together(
            lambda: h.run("count 30 10ms\nsay B-END", session_id="b", on_notification=speaking),
            close_a,
        )
        assert closed["closed"] is True, closed
        assert b.final_response.endswith("B-END"), b.final_response
        assert request(h, "session/close", {"sessionId": "a"})["closed"] is False


@scenario
def error_paths_of_initialize():
    cases = [
        (dict(provider="zzz"), 'no adapter registered for provider "zzz"'),
        (dict(max_tokens=0), "initialize maxTokens must be a positive safe integer"),
        (dict(reasoning_effort=""), "initialize reasoningEffort must be a non-empty string"),
        (dict(reasoning_effort="zzz"), 'does not support reasoning effort "zzz"'),
    ]
    if GENERATION == "0.1":
        cases = cases[:2]
    for options, words in cases:
        h = harness(**options)
        try:
            refused(h.start, words)
        finally:
            h.close()
        assert h.client._proc is None
    with harness(provider="deepseek-official", model="deepseek-v4-flash") as h:
        assert h.run("say hi").final_response == "hi"
    if GENERATION != "0.1":
        for effort in ("low", "medium", "high"):
            with harness(reasoning_effort=effort, max_tokens=1000) as h:
                assert h.run("say hi").final_response == "hi"


@scenario
def error_paths_of_requests():
    with harness() as h:
        refused(lambda: request(h, "session/prompt", {"contentBlocks": [{"type": "text", "text": "x"}]}))
        refused(lambda: request(h, "session/prompt", {"sessionId": "bad"}))
        refused(lambda: request(h, "session/prompt", {"sessionId": "bad", "contentBlocks": []}))
        refused(lambda: request(h, "session/prompt", {"sessionId": "bad", "contentBlocks": "x"}))
        refused(lambda: request(h, "session/wait", {}), "session/wait requires a sessionId string")
        refused(lambda: request(h, "session/wait", {"sessionId": "bad"}), "unknown SDK session: bad")
        refused(lambda: request(h, "session/resume", {}), "session/resume requires a non-empty sessionId string")
        refused(
            lambda: request(h, "session/working-directory/set", {"sessionId": "x"}),
            "working-directory set requires a path string",
        )
        unknown = "unknown DeepSeek Harness SDK runtime method: session/unheard-of"
        refused(lambda: request(h, "session/unheard-of", {}), unknown)
        assert h.run("say well").final_response == "well"


@scenario
def requests_before_initialize():
    client = HarnessClient(HarnessConfig(dsh_bin=ARGS.bin, dsh_home=ARGS.home, cwd=ARGS.cwd))
    client.start()
    try:
        for method, params in (
            ("session/prompt", {"sessionId": "x", "contentBlocks": [{"type": "text", "text": "x"}]}),
            ("session/resume", {"sessionId": "x"}),
            ("session/wait", {"sessionId": "x"}),
        ):
            try:
                client.request(method, params, response_model=Anything)
            except JsonRpcError as error:
                assert (error.code, error.message) == (-32603, "SDK server is not initialized"), error
            else:
                raise AssertionError(f"{method} was served before initialize")
    finally:
        client.close()


def closing(h):
    """Closes, and the runtime must have ended by itself: the client waits one
    second for its reply and one for its exit before it terminates it. (That of
    the older generation terminates it at once; exit code 0 is then what says
    that it was not killed.)"""
    process = h.client._proc
    terminated = []
    terminate = process.terminate

    def noted():
        terminated.append(time.monotonic())
        terminate()

    process.terminate = noted
    h.close()
    assert GENERATION == "0.1" or not terminated, "the client had to terminate the runtime"
    assert process.returncode == 0, f"exit code {process.returncode}"
    failures = [line for line in h.client._stderr_lines if "shutdown request failed" in line]
    assert not failures, failures


@scenario
def close_when_idle():
    h = harness()
    h.start()
    closing(h)
    h.start()
    h.run("say hi")
    closing(h)


@scenario
def close_in_the_middle_of_a_turn():
    h = harness()
    h.start()
    speaking = Gate(is_delta)
    outcome = []

    def work():
        try:
            outcome.append(h.run("count 10000 5ms", session_id="mid", on_notification=speaking))
        except TransportClosedError as error:
            outcome.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    speaking.wait()
    closing(h)
    thread.join(5)
    assert not thread.is_alive(), "the run never ended"
    assert isinstance(outcome[0], TransportClosedError), outcome


@scenario
def close_with_a_stubborn_agent():
    h = harness()
    h.start()
    started = Gate(of_type("step/start"))

    def work():
        try:
            h.run("stubborn 30s", session_id="stubborn", on_notification=started)
        except TransportClosedError:
            pass

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    started.wait()
    closing(h)
    thread.join(5)
    assert not thread.is_alive(), "the run never ended"


@scenario
def close_with_a_wait_pending():
    h = harness()
    h.start()
    started = Gate(of_type("step/start"))
    threads = []

    def quietly(function):
        def body():
            try:
                function()
            except (TransportClosedError, JsonRpcError):
                pass

        threads.append(threading.Thread(target=body, daemon=True))
        threads[-1].start()

    quietly(lambda: h.run("sleep 30s", session_id="w", on_notification=started))
    started.wait()
    quietly(lambda: request(h, "session/wait", {"sessionId": "w"}))
    time.sleep(0.05)
    closing(h)
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


@scenario
def context_manager():
    with harness() as h:
        process = h.client._proc
        assert process.poll() is None
        h.run("say hi")
    assert process.poll() == 0, process.poll()
    with h:
        assert h.client._proc is not None and h.client._proc is not process
        assert h.run("say hi again").final_response == "hi again"
    try:
        with harness() as h:
            process = h.client._proc
            raise KeyError("from the body")
    except KeyError:
        assert process.poll() == 0
    else:
        raise AssertionError("the body's own error was lost")


@scenario
def start_twice():
    h = harness()
    h.start()
    process = h.client._proc
    h.start()
    assert h.client._proc is process
    h.close()
    h.close()
    h.start()
    assert h.client._proc is not process
    assert h.run("say new process").final_response == "new process"
    h.close()


@scenario
def patches_are_named_on_stderr_and_ignored():
    patch = Path(ARGS.home) / "patch.json"
    patch.write_text("{}")
    with harness(patches=(str(patch),), profile="sdk-minimal") as h:
        assert h.run("say patched").final_response == "patched"
        # Its stderr is read on a thread of its own, and may come after the answer.
        eventually(lambda: any("patch.json" in line for line in h.client._stderr_lines), "the patch is named")
    with harness() as h:
        h.run("say quiet")
        assert not h.client._stderr_lines, list(h.client._stderr_lines)


@scenario
def the_runtime_is_killed():
    h = harness()
    h.start()
    speaking = Gate(is_delta)

    def kill():
        speaking.wait()
        h.client._proc.kill()

    threading.Thread(target=kill, daemon=True).start()
    try:
        h.run("count 10000 5ms", on_notification=speaking)
    except TransportClosedError:
        pass
    else:
        raise AssertionError("a run of a killed runtime returned")
    h.close()
    h.start()
    assert h.run("say back").final_response == "back"
    h.close()


@scenario
def a_flood_of_deltas():
    with harness() as h:
        result = h.run("flood 20000")
        assert result.finish_reason == "completed"
        seen = sum(1 for n in result.notifications if n.method == "session.delta")
        assert 0 < seen <= 20000, seen
        assert len(result.final_response) >= 20000


GENERATION_01 = [
    run, run_text_of_every_kind, run_several_turns_on_one_session, history_is_remembered, content_blocks, callbacks,
    two_runs_at_once_on_one_session, a_run_behind_a_busy_one, many_runs_at_once_on_one_session,
    a_run_behind_a_failing_one, sixteen_sessions_at_once, tools, a_child_in_the_background,
    a_child_that_the_turn_awaits, failing_turns, wait_and_cancel_by_raw_request, error_paths_of_initialize,
    close_when_idle, close_in_the_middle_of_a_turn, context_manager, start_twice, the_runtime_is_killed,
]


def main():
    global ARGS, GENERATION
    parser = argparse.ArgumentParser()
    parser.add_argument("name", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--generation", default="0.2")
    parser.add_argument("--bin")
    parser.add_argument("--home")
    parser.add_argument("--cwd")
    ARGS = parser.parse_args()
    GENERATION = ARGS.generation
    if ARGS.list:
        names = [f.__name__ for f in GENERATION_01] if GENERATION == "0.1" else list(SCENARIOS)
        print(json.dumps(names))
        return 0
    try:
        SCENARIOS[ARGS.name]()
    except BaseException:  # noqa: BLE001 - whatever it is, the test shows it
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    # Threads of a failed scenario may still wait for the runtime.
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
