// `node tools/defects/run.mjs [--seconds 60 ID …]`: plants each defect, and reports how long the simulation takes to
// find it.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { loadSimulation } from '../../test/simulation/bundle.mjs';
import { defects } from './defects.mjs';
import { incidents } from './incidents.mjs';
import { plantDefect } from './plant.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '60' }, child: { type: 'boolean' } },
});
const limitMs = Number(values.seconds) * 1000;
const all = [...defects, ...incidents];
const chosen = all.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
// Each defect has a child process of its own, because a defect may leave work behind that slows the next one down.
const missed = [];
for (const defect of chosen)
  if (!(values.child ? await isFound(defect) : isFoundInChild(defect))) missed.push(defect);
// What is hidden from users is no gap in the simulation.
const hidden = missed.filter((defect) => defect.hidden).length;
const failed = missed.length - hidden;
if (!values.child) {
  if (hidden > 0) process.stdout.write(`${hidden} missed, because something hides them\n`);
  process.stdout.write(`${chosen.length - missed.length} passed, ${failed} failed\n`);
}
process.exitCode = (values.child ? missed.length : failed) === 0 ? 0 : 1;
// A defect may leave timers behind that would keep the process alive.
process.stdout.write('', () => process.exit());

function isFoundInChild({ id }) {
  const options = ['--child', '--seconds', values.seconds, id];
  const args = [...process.execArgv, import.meta.filename, ...options];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

async function isFound(defect) {
  const { id, what, store, hidden } = defect;
  // A defect may leave work behind that fails after its run.
  process.on('unhandledRejection', () => {});
  const { simulate } = await loadSimulation(`defect-${id}`, [plantDefect(defect)]);
  const before = process.cpuUsage();
  // Measure CPU time, so that other work on the machine does not change the result.
  const getMs = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let found;
  let seed = 0;
  while (!found && getMs() < limitMs) {
    seed++;
    // Short runs in memory find most defects. A long run takes several times as long, and so does one on SQLite.
    const isShort = seed % 32 !== 0;
    const options = { store: store ?? (seed % 32 === 16 ? 'sqlite' : 'memory'), isShort };
    const { violations } = await simulate(`${seed}`, options).catch((error) => ({
      violations: [{ name: 'the run failed', detail: `${error}` }],
    }));
    if (violations.length > 0) found = { ...options, ...violations[0] };
  }
  const seconds = (getMs() / 1000).toFixed(1);
  process.stdout.write(
    found
      ? `found  ${id} after ${seconds} s, seed ${seed} (${found.store}${found.isShort ? '' : ', long'}): ${found.name}: ${found.detail.slice(0, 120)}\n`
      : `MISSED ${id} in ${seed} seeds, ${seconds} s: ${what}${hidden ? ` (${hidden})` : ''}\n`,
  );
  return found !== undefined;
}
