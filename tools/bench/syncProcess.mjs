// The process that sync.bench.mjs measures. A tracker runs one sync into the given database. The process reports its
// memory and the progress of the sync each second.
import { createPartnerApi } from '@partner-ramp/react/server';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { createOrderTracker } from '../../dist/server/orders/tracker/createOrderTracker.js';
import { connect } from '../../test/support/database/connect.mjs';

const [target, apiUrl, privateKey, days] = process.argv.slice(2);
const api = createPartnerApi({ baseUrl: apiUrl, partnerId: 'p1', privateKey, timeoutMs: 30_000 });
let listed = 0;
const tracker = createOrderTracker({
  api: {
    ...api,
    async *eachOrder(...call) {
      for await (const order of api.eachOrder(...call)) {
        listed++;
        yield order;
      }
    },
  },
  // This measures how the list is read, so nothing is delivered.
  store: { ...sqlOrderStore(connect(target)), listPendingChanges: async () => [] },
  // One sync reads the whole list.
  syncSeconds: 86_400,
  // The page size of the measurements in tools/README.md. The default of 20 needs five times as many requests.
  pageSize: 100,
  fullSyncLookbackSeconds: Number(days) * 86_400,
  deliver() {},
  review() {},
  onError: (error) => process.send({ error: `${error}` }),
});
/** The longest block of the event loop since the last report, in milliseconds. */
let blockedMs = 0;
let last = performance.now();
setInterval(() => {
  blockedMs = Math.max(blockedMs, performance.now() - last - 20);
  last = performance.now();
}, 20).unref();
const reportProgress = () => {
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ rss, heapUsed, blockedMs, listed });
  blockedMs = 0;
};
const timer = setInterval(reportProgress, 1000);
const begun = performance.now();
const { recorded } = await tracker.sync();
process.send({ done: true, seconds: (performance.now() - begun) / 1000, listed, recorded });
clearInterval(timer);
process.disconnect();
process.exit();
