const HEAP_LIMIT = 1.1;
const P99_LIMIT = 2;
const STOP_LIMIT_MS = 10_000;
/** The smallest share of the requested load that must have been sent. With less, the run is not valid. */
const LOAD_SHARE = 0.98;

const sum = (counts) => Object.values(counts).reduce((total, each) => total + each, 0);
const list = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';
const percent = (ratio) => `${((ratio - 1) * 100).toFixed(1)} %`;

/** Returns a percentile by the nearest-rank method. `share` is from 0 to 1, for example 0.99. */
function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/**
 * Compares the p99 of each route before the stop with its p99 after the stop. Of each of these two parts of the run,
 * only the fastest minute without faults counts. A new process is slow for two minutes and a busy machine for some, but
 * only a defect makes every minute slow. The first minute does not count, because the database is almost empty then.
 *
 * @param times - `times[route][minute]` has durations in milliseconds.
 * @returns All comparisons, and those whose ratio of later to earlier exceeds `limit`.
 */
function comparePercentiles(times, plan, limit) {
  const stopMinute = plan.find(({ isStop }) => isStop).minute;
  const quiet = plan.filter(({ minute, isFault, isStop }) => minute > 1 && !isFault && !isStop);
  const compared = Object.entries(times).flatMap(([route, minutes]) => {
    const read = (half) =>
      Math.min(...half.flatMap(({ minute }) => percentile(minutes[minute] ?? [], 0.99) ?? []));
    const earlier = read(quiet.filter(({ minute }) => minute < stopMinute));
    const later = read(quiet.filter(({ minute }) => minute > stopMinute));
    return Number.isFinite(later / earlier) ? [{ route, ratio: later / earlier }] : [];
  });
  return { compared, slow: compared.filter(({ ratio }) => !(ratio <= limit)) };
}

const growth = (values) => values.at(-1) / values[0];

/**
 * Checks the conditions of the soak test.
 *
 * @returns Each condition with its requirement, whether it is met, and the measurements.
 */
export function evaluateRun({ options, plan, load, heaps, stop, outcome, service, minOpen }) {
  const { compared, slow } = comparePercentiles(load.times, plan, P99_LIMIT);
  const worst = Math.max(...compared.map(({ ratio }) => ratio));
  const planned = options.rate * 60 * options.minutes;
  const share = load.arrivals / planned;
  const used = heaps.map(({ heapUsed }) => heapUsed);
  // The stop replaces the process of the shop, so compare the heap only within the lifetime of each process.
  const stopAt = plan.findIndex(({ isStop }) => isStop);
  const lives = [used.slice(0, stopAt), used.slice(stopAt)].map(growth);
  const faults = sum(service.counts) - service.counts['API requests'] - service.counts.webhooks;
  const { bought, reportedAfterMs } = load;
  return [
    {
      name: 'the load was sent as requested, and the sandbox failed',
      holds: share >= LOAD_SHARE && load.addresses === options.addresses && faults > 0,
      figures: `${(share * 100).toFixed(1)} % of ${planned} requests were sent, from ${load.addresses} addresses; ${list(service.counts)}`,
    },
    {
      name: 'every page has a response at the end of each minute',
      holds: minOpen >= options.pages * LOAD_SHARE,
      figures: `at least ${minOpen} of ${options.pages}`,
    },
    {
      name: '0 errors that the sandbox did not cause',
      holds: load.counts.error === 0,
      figures: [list(load.counts), ...load.noted].join('\n    '),
    },
    {
      name: `heap of the last minute at most 10 % above the first minute`,
      holds: growth(used) <= HEAP_LIMIT,
      figures: percent(growth(used)),
    },
    {
      name: `heap of each process at most 10 % above its first minute`,
      holds: lives.every((ratio) => ratio <= HEAP_LIMIT),
      figures: lives.map(percent).join(', '),
    },
    {
      name: `p99 of each route in the second half at most ${P99_LIMIT} x the first half, without the first minute and those with faults`,
      holds: compared.length > 0 && slow.length === 0,
      figures: [
        `${compared.length} compared, at most ${worst.toFixed(2)} x`,
        ...slow.map((each) => `${each.route}: ${each.ratio.toFixed(2)} x`),
      ].join('\n    '),
    },
    {
      name: 'SIGTERM ends the shop with 0 within 10 s',
      holds: stop.code === 0 && stop.ms <= STOP_LIMIT_MS,
      figures: `code ${stop.code} after ${stop.ms} ms, down for ${stop.downMs} ms`,
    },
    {
      name: 'every acknowledged checkout is in the database',
      holds: sum(outcome.checkouts) === 0,
      figures: `${outcome.acknowledged} acknowledged: ${list(outcome.checkouts)}`,
    },
    {
      name: 'every bought order is recorded and delivered once',
      holds: outcome.bought > 0 && sum(outcome.orders) === 0,
      figures: `${outcome.bought} bought: ${list(outcome.orders)}`,
    },
    {
      name: 'every page shows the order of its checkout',
      holds: reportedAfterMs.length === bought,
      figures: `${reportedAfterMs.length} of ${bought}, median ${percentile(reportedAfterMs, 0.5)} ms, p99 ${percentile(reportedAfterMs, 0.99)} ms after the payment`,
    },
  ];
}

/** Formats a table of the minutes: the p99 of each route, and the memory of the shop at the end of the minute. */
export function formatTable({ plan, load, heaps }) {
  const cells = (values) => values.map((value) => `${value ?? '-'}`.padStart(7)).join('');
  const row = (name, values) => `${name.padEnd(46)}${cells(values)}`;
  const mark = ({ minute, isFault, isStop }) =>
    `${minute}${isFault ? 'F' : ''}${isStop ? 'S' : ''}`;
  const mb = (name) => heaps.map((heap) => (heap[name] / 2 ** 20).toFixed(1));
  return [
    row('p99 in ms by minute (F: faults, S: stop)', plan.map(mark)),
    ...Object.entries(load.times).map(([route, minutes]) =>
      row(
        route,
        plan.map(({ minute }) => minutes[minute] && Math.round(percentile(minutes[minute], 0.99))),
      ),
    ),
    row('heap after a forced collection, MB', mb('heapUsed')),
    row('resident memory, MB', mb('rss')),
    row(
      'longest block of the event loop, ms: shop',
      heaps.map(({ delayMs }) => delayMs),
    ),
    row(
      'longest block of the event loop, ms: clients',
      heaps.map(({ clientDelayMs }) => clientDelayMs),
    ),
    row(
      'processors of this machine in use, %',
      heaps.map(({ busy }) => Math.round(busy * 100)),
    ),
    row(
      'requests',
      plan.map(({ minute }) =>
        Object.values(load.times).reduce((total, all) => total + (all[minute]?.length ?? 0), 0),
      ),
    ),
  ].join('\n');
}
