// Scenarios for the official TypeScript SDK, unchanged, against a runtime.
//
//   node scenarios.mjs NAME --bin RUNTIME --home DIR --cwd DIR
//   node scenarios.mjs --list
//
// Each scenario asserts; the process exits 0 when all hold. The prompts are
// commands of the demo agent. It is run from the folder into which the SDK was
// installed, which is where its import is looked up.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));
const sdk = await import(pathToFileURL(require.resolve("@deepseek-ai/dsh-sdk-client")).href);
const { DeepSeekHarness, JsonRpcResponseError, TransportClosedError } = sdk;

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, home: { type: "string" }, cwd: { type: "string" }, list: { type: "boolean" } },
});

function harness(options = {}) {
  return new DeepSeekHarness({
    launch: {
      command: args.bin,
      args: ["--profile", "sdk"],
      cwd: args.cwd,
      env: { ...process.env, DSH_HOME: args.home },
    },
    cwd: args.cwd,
    provider: "demo",
    model: "demo-model",
    ...options,
  });
}

async function using(options, body) {
  const h = harness(options);
  try {
    await body(h);
  } finally {
    await h.close();
  }
}

const kinds = (result) => result.events.map((event) => event.type);
const isDelta = (n) => n.method === "session.delta";

// Resolves at the first notification that the predicate takes.
function gate(predicate) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { opened, see: (n) => predicate(n) && open() };
}

async function rejects(promise, ...words) {
  const error = await promise.then(
    () => assert.fail("the call was not refused"),
    (error) => error,
  );
  assert.ok(error instanceof JsonRpcResponseError, `${error}`);
  assert.equal(error.code, -32603);
  for (const word of words) assert.ok(error.message.includes(word), `${word} is not in ${error.message}`);
}

const scenarios = {
  async run() {
    await using({}, async (h) => {
      const result = await h.run("say hello world");
      assert.equal(result.finalResponse, "hello world");
      assert.equal(kinds(result)[0], "agent/inbox/spliced");
      for (const kind of ["turn/start", "assistant/message", "turn/end"]) {
        assert.equal(kinds(result).filter((k) => k === kind).length, 1, kind);
      }
      const last = result.notifications.at(-1);
      assert.equal(last.method, "session.status");
    });
  },

  async textOfEveryKind() {
    await using({}, async (h) => {
      const session = h.session();
      for (const text of ["héllo wörld", "完成了 🎉", 'tab\tand \\ and "quotes"', "raw \u2028\u2029 separators"]) {
        assert.equal((await session.run("say " + text)).finalResponse, text);
      }
    });
  },

  async onNotification() {
    await using({}, async (h) => {
      const seen = [];
      const result = await h.run("count 8 5ms", { onNotification: (n) => seen.push(n) });
      assert.deepEqual(seen, result.notifications);
      const deltas = seen.filter(isDelta);
      assert.ok(deltas.length > 0, "no deltas");
      assert.equal(deltas.map((n) => n.params.text ?? "").join("").trim(), result.finalResponse.trim());
    });
  },

  async twoSessions() {
    await using({}, async (h) => {
      const [a, b] = await Promise.all([
        h.session("a").run("count 10 5ms\nsay from-a"),
        h.session("b").run("count 10 5ms\nsay from-b"),
      ]);
      assert.ok(a.finalResponse.endsWith("from-a"), a.finalResponse);
      assert.ok(b.finalResponse.endsWith("from-b"), b.finalResponse);
      assert.ok(a.notifications.every((n) => n.params.sessionId === "a"));
      assert.ok(b.notifications.every((n) => n.params.sessionId === "b"));
    });
  },

  async promptsInParallel() {
    await using({}, async (h) => {
      const session = h.session("parallel");
      const names = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"];
      const results = await Promise.all(names.map((name) => session.run(`sleep 30ms\nsay ANSWER-${name}`)));
      assert.deepEqual(
        results.map((result) => result.finalResponse),
        names.map((name) => `ANSWER-${name}`),
      );
    });
  },

  async promptBehindAFailingOne() {
    await using({}, async (h) => {
      const session = h.session("failing");
      const [first, second] = await Promise.all([
        session.run("sleep 50ms\nfail on purpose"),
        session.run("say still here"),
      ]);
      const end = first.events.filter((event) => event.type === "turn/end").at(-1);
      assert.equal(end.data.reason.kind, "error");
      assert.equal(second.finalResponse, "still here");
    });
  },

  async tools() {
    await using({}, async (h) => {
      const result = await h.run("tool bash 10ms\nsay after");
      assert.equal(result.finalResponse, "after");
      assert.equal(kinds(result).filter((kind) => kind === "tool/result").length, 1);
    });
  },

  async children() {
    await using({}, async (h) => {
      await h.start();
      const tree = h.client.subscribeSessionTree("parent");
      await h.run("child say from the child\nsay parent done", { sessionId: "parent" });
      await h.client.request("session/wait", { sessionId: "parent" });
      const seen = [];
      for (let n = tree.tryNext(); n !== undefined; n = tree.tryNext()) seen.push(n);
      tree.close();
      assert.equal(seen.filter((n) => n.method === "subagent.started").length, 1);
      assert.equal(seen.filter((n) => n.method === "subagent.finished").length, 1);
    });
  },

  async cancelByRawRequest() {
    await using({}, async (h) => {
      const speaking = gate(isDelta);
      const running = h.session("stop").run("count 1000 20ms", { onNotification: speaking.see });
      await speaking.opened;
      const stopped = await h.client.request("session/cancel", { sessionId: "stop" });
      assert.equal(stopped.effect, "stopping");
      const result = await running;
      const end = result.events.filter((event) => event.type === "turn/end").at(-1);
      assert.equal(end.data.reason.kind, "aborted");
      assert.ok(result.finalResponse.startsWith("1 "), result.finalResponse);
    });
  },

  async refusals() {
    const bad = harness({ provider: "zzz" });
    try {
      await rejects(bad.start(), 'no adapter registered for provider "zzz"');
    } finally {
      await bad.close();
    }
    await using({}, async (h) => {
      await h.start();
      await rejects(h.client.request("session/unheard-of"), "unknown DeepSeek Harness SDK runtime method: session/unheard-of");
      await rejects(h.client.prompt("bad", []));
      assert.equal((await h.run("say well")).finalResponse, "well");
    });
  },

  async closeWhenIdle() {
    // The client waits six seconds for the runtime's own exit.
    const h = harness();
    await h.run("say hi");
    const begun = performance.now();
    await h.close();
    assert.ok(performance.now() - begun < 5500, "close took too long");
    await h.close();
    await assert.rejects(h.run("say hi"));
  },

  async closeInTheMiddleOfATurn() {
    const h = harness();
    const speaking = gate(isDelta);
    const running = h.run("count 10000 5ms", { onNotification: speaking.see }).then(
      () => "returned",
      (error) => error,
    );
    await speaking.opened;
    const begun = performance.now();
    await h.close();
    assert.ok(performance.now() - begun < 5500, "close took too long");
    assert.ok((await running) instanceof TransportClosedError);
  },

  async closeWithAStubbornAgent() {
    const h = harness();
    const started = gate((n) => n.method === "session.event" && n.params.event.type === "step/start");
    const running = h.run("stubborn 30s", { onNotification: started.see }).catch((error) => error);
    await started.opened;
    const begun = performance.now();
    await h.close();
    assert.ok(performance.now() - begun < 5500, "close took too long");
    assert.ok((await running) instanceof TransportClosedError);
  },
};

if (args.list) {
  console.log(JSON.stringify(Object.keys(scenarios)));
} else {
  await scenarios[positionals[0]]();
}
process.exit(0);
