// What sync.bench.mjs measures, in a process of its own: one sync by a tracker into the store of the
// database that is named. Says its memory each second, and how far it is.
import { createOrderTracker, createPartnerApi } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { connect } from '../support/database/connect.mjs';

const [target, apiUrl, privateKey, days] = process.argv.slice(2);
const tracker = createOrderTracker({
  api: createPartnerApi({ baseUrl: apiUrl, partnerId: 'p1', privateKey, timeoutMs: 30_000 }),
  store: sqlOrderStore(connect(target)),
  // The figures of the table; the default of 20 makes five times the requests.
  pageSize: 100,
  fullSyncLookbackSeconds: Number(days) * 86_400,
  onError: (error) => process.send({ error: `${error}` }),
});
/** How long the process stood still since the last time it was asked. */
let stood = 0;
let last = performance.now();
setInterval(() => {
  stood = Math.max(stood, performance.now() - last - 20);
  last = performance.now();
}, 20).unref();
const say = () => {
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ rss, heapUsed, stood, listed: tracker.report?.listed ?? 0 });
  stood = 0;
};
const telling = setInterval(say, 1000);
const begun = performance.now();
await tracker.sync();
const { listed, recorded } = tracker.report;
process.send({ done: true, seconds: (performance.now() - begun) / 1000, listed, recorded });
clearInterval(telling);
process.disconnect();
process.exit();
