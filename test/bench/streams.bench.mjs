// Compares 2,000 event streams of one handler with those of a minimal node:http server: the memory of each stream, the
// time until one change has reached all streams, and the time until a change of a single checkout reaches its stream.
// node test/bench/streams.bench.mjs [COUNT]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { singleNames } from './singleNames.mjs';

const COUNT = Number(process.argv[2] ?? 2000);
/** The largest heap that a stream of the handler may use, in KB. */
const LIMIT_KB = 32;
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const part = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Opens a stream. Its `at` becomes the time at which it received the state `finished`. */
function open(url) {
  const stream = { at: 0, request: undefined };
  const ready = new Promise((resolve, reject) => {
    stream.request = get(url, { agent }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`The stream returned ${response.statusCode}.`));
      response.setEncoding('utf8').on('data', (text) => {
        if (text.includes('"waiting"')) resolve(stream);
        if (text.includes('"finished"')) stream.at = Date.now();
      });
      response.on('error', () => {});
    }).on('error', reject);
  });
  return ready;
}

async function measure(kind) {
  const server = fork('test/bench/streamServer.mjs', [kind, COUNT], { execArgv: ['--expose-gc'] });
  const request = async (message) => {
    const response = once(server, 'message');
    server.send(message);
    return (await response)[0];
  };
  const [{ port }] = await once(server, 'message');
  const base = `http://127.0.0.1:${port}/api/ramp/checkouts/checkout-`;
  /** Opens a stream of each checkout, fifty streams at a time. */
  const openUrls = async (names) => {
    const streams = [];
    for (let i = 0; i < names.length; i += 50)
      streams.push(
        ...(await Promise.all(names.slice(i, i + 50).map((name) => open(`${base}${name}/events`)))),
      );
    return streams;
  };
  const closeAll = async (streams) => {
    for (const { request } of streams) request.destroy();
    await wait(500);
  };
  /**
   * Finishes the order of the checkout `which`, or of every checkout if `which` is `each`. Measures how long the change
   * takes to reach each stream: from the write, and from its arrival at the first stream. Returns the median, the 99th
   * percentile and the maximum of each of the two times.
   */
  const deliver = async (streams, which) => {
    const { before } = await request({ request: 'change', which });
    for (const end = Date.now() + 60_000; streams.some(({ at }) => at === 0); await wait(5))
      if (Date.now() > end) throw new Error('Some streams did not receive the change.');
    const times = streams.map(({ at }) => at).sort((a, b) => a - b);
    const since = (from) => [0.5, 0.99, 1].map((share) => part(times, share) - from);
    return { fromWrite: since(before), fromFirst: since(times[0]) };
  };

  /** Changes 200 checkouts one after the other. Measures the time from each commit until its stream has the change. */
  const deliverSingly = async (names, streams) => {
    const times = [];
    for (const [i, name] of names.slice(0, 200).entries()) {
      const { committed } = await request({ request: 'change', which: name });
      for (const end = Date.now() + 5_000; streams[i].at === 0; await wait(1))
        if (Date.now() > end) throw new Error('A stream did not receive its change.');
      times.push(Math.max(0, streams[i].at - committed));
      await wait(Math.random() * 50);
    }
    times.sort((a, b) => a - b);
    return [0.5, 0.99, 1].map((share) => part(times, share));
  };

  // Warm up with 50 streams, because the first stream loads code that should not count as the memory of streams.
  await closeAll(await openUrls([...Array(50).keys()]));
  const empty = await request({ request: 'memory' });
  const begun = Date.now();
  const streams = await openUrls([...Array(COUNT).keys()]);
  const openMs = Date.now() - begun;
  await wait(500);
  const full = await request({ request: 'memory' });
  const each = Object.fromEntries(
    Object.keys(full).map((name) => [name, (full[name] - empty[name]) / COUNT / 1024]),
  );
  const ofEach = await deliver(streams, 'each');
  await closeAll(streams);
  const shared = await openUrls(Array(COUNT).fill('shared'));
  const ofOne = await deliver(shared, 'shared');
  await closeAll(shared);
  const names = singleNames(COUNT);
  const single = await openUrls(names);
  const ofSingle = await deliverSingly(names, single);
  await closeAll(single);
  const left = await request({ request: 'memory' });
  server.disconnect();
  return { openMs, each, ofEach, ofOne, ofSingle, leftKb: (left.heapUsed - empty.heapUsed) / 1024 };
}

const kb = (value) => `${value.toFixed(1)} KB`;
const ms = ([median, p99, max]) => `median ${median} ms, p99 ${p99} ms, max ${max} ms`;
const results = {};
for (const kind of ['bare', 'ours']) {
  const { each, openMs, leftKb, ofEach, ofOne, ofSingle } = await measure(kind);
  results[kind] = { each, ofEach, ofOne };
  console.log(`${kind}: ${COUNT} streams, opened in ${openMs} ms`);
  console.log(
    `  each: heap ${kb(each.heapUsed)}, resident ${kb(each.rss)}; left after all are closed: ${kb(leftKb)}`,
  );
  for (const [what, { fromWrite, fromFirst }] of Object.entries({
    'one change for each stream': ofEach,
    'one change for all streams': ofOne,
  }))
    console.log(
      `  ${what}: ${ms(fromWrite)} after the write; ${ms(fromFirst)} after the first stream received it`,
    );
  console.log(
    `  ${Math.min(COUNT, 200)} changes one after the other, each in one of ${Math.min(COUNT, 500)} streams: ${ms(ofSingle)} after its commit`,
  );
}
const ratio = (of) => (of(results.ours) / of(results.bare)).toFixed(2);
console.log(
  `ours / bare: heap ${ratio(({ each }) => each.heapUsed)} x, resident ${ratio(({ each }) => each.rss)} x, last after first ${ratio(({ ofEach }) => ofEach.fromFirst[2])} x and ${ratio(({ ofOne }) => ofOne.fromFirst[2])} x`,
);
if (results.ours.each.heapUsed > LIMIT_KB) {
  console.log(`A stream uses more than ${LIMIT_KB} KB.`);
  process.exitCode = 1;
}
