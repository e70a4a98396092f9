import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareFunctions } from './functions.js';
import { invariants } from './invariants.js';
import {
  createPlan,
  type FaultName,
  faultNames,
  type Plan,
  type StoreKind,
  storeKinds,
} from './plan.js';
import { foldStory, OFF, shrink } from './shrink.js';
import { type SimulationOptions, type SimulationResult, simulate } from './simulate.js';

const HELP = `Runs seeds of the money path in virtual time, and reports the invariants that they break.

npm run simulate -- --seeds 1..1000            random people and faults
npm run simulate -- --seeds 832 --story        one seed, told line by line
  --store ${storeKinds.join('|')}   the database, memory by default
  --long                   runs of hours or days; by default they are short
  --seconds 60             stops after this time
  --without a,b            switches faults off: ${faultNames.join(', ')}
  --plan '{"watches":1}'   sets fields of \`Plan\` in every seed, for example to switch a fault on
  --people 1               at most so many people
  --shrink NAME            reduces the first failure, and keeps it as a regression that \`npm test\` replays
  --regressions            replays the runs of regressions.json instead of seeds
  --functions 10000        compares a shop of functions with a process that lives, with so many orders and no webhook
  --hashes                 prints a hash of each run: equal for equal runs
`;

/** Runs the command `npm run simulate`, and returns its exit code. */
export async function run(args: string[]): Promise<number> {
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  let values: ReturnType<typeof parseOptions>;
  try {
    values = parseOptions(args);
  } catch (error) {
    print(`${(error as Error).message}\nnpm run simulate -- --help lists the options.`);
    return 2;
  }
  if (values.help) {
    print(HELP);
    return 0;
  }
  const [first = 1, last = first] = values.seeds.split('..').map(Number);
  const options = {
    store: values.store as StoreKind,
    isShort: !values.long,
    isTold: values.story,
    without: values.without.split(',').filter(Boolean) as FaultName[],
    override: JSON.parse(values.plan) as Partial<Plan>,
    ...(values.people && { people: Number(values.people) }),
  };
  if (values.functions) return compareFunctions(Number(values.functions), print);
  if (values.regressions) return replayRegressions(print);
  const startedAt = performance.now();
  const getSeconds = () => (performance.now() - startedAt) / 1000;
  const counts = new Map<string, number>();
  let runs = 0;
  let failed = 0;
  let virtualMs = 0;
  for (let seed = first; seed <= last; seed++) {
    if (values.seconds && getSeconds() > Number(values.seconds)) break;
    const result = await simulate(`${seed}`, options);
    runs++;
    virtualMs += result.virtualMs;
    if (values.story) print(foldStory(result.story).join('\n'));
    if (values.hashes) print(`${seed} ${result.hash} ${result.events}`);
    if (result.violations.length === 0) continue;
    failed++;
    for (const { name } of result.violations) counts.set(name, (counts.get(name) ?? 0) + 1);
    print(formatFailure(result));
    if (values.shrink) {
      await keepRegression(values.shrink, `${seed}`, options, print);
      break;
    }
  }
  const seconds = getSeconds();
  const days = Math.round(virtualMs / 86_400_000);
  print(
    `${runs} seeds (${values.store}), ${days} virtual days in ${seconds.toFixed(1)} s, ${(runs / seconds).toFixed(1)} seeds a second`,
  );
  for (const [name, count] of counts) print(`  ${name}: ${count}`);
  print(`${runs - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** @throws an error whose message says what is wrong with the options. */
function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '1..100' },
      store: { type: 'string', default: 'memory' },
      long: { type: 'boolean', default: false },
      story: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      without: { type: 'string', default: '' },
      plan: { type: 'string', default: '{}' },
      people: { type: 'string' },
      shrink: { type: 'string' },
      regressions: { type: 'boolean', default: false },
      functions: { type: 'string' },
      hashes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { seeds, store, without, plan } = values;
  if (!/^\d+(\.\.\d+)?$/.test(seeds))
    throw new Error(`--seeds is ${seeds}, but must be a number, or two as in 1..100.`);
  if (!storeKinds.includes(store as StoreKind))
    throw new Error(`--store must be one of ${storeKinds.join(', ')}.`);
  for (const name of ['seconds', 'people', 'functions'] as const)
    if (values[name] !== undefined && !(Number(values[name]) > 0))
      throw new Error(`--${name} must be a number above 0.`);
  for (const name of without.split(',').filter(Boolean))
    if (!faultNames.includes(name as FaultName)) throw new Error(`--without: ${name} is no fault.`);
  for (const field of Object.keys(JSON.parse(plan)))
    if (!(field in createPlan('1')))
      throw new Error(`--plan has ${field}, which is no field of Plan.`);
  return values;
}

/** A run that once broke an invariant. */
interface Regression {
  /** The name of the failure, as given with `--shrink`. */
  readonly name: string;
  readonly seed: string;
  readonly isShort: boolean;
  readonly plan: Plan;
}

const regressionFile = join(process.cwd(), 'test', 'simulation', 'regressions.json');
const readRegressions = (): Regression[] => JSON.parse(readFileSync(regressionFile, 'utf8'));

/** Replays all regressions. Faults that are newer than the plan of a regression stay off. */
async function replayRegressions(print: (text: string) => void): Promise<number> {
  const regressions = readRegressions();
  let failed = 0;
  for (const { name, seed, isShort, plan } of regressions) {
    const result = await simulate(seed, { isShort, override: { ...OFF, ...plan } });
    const isKept = result.violations.length === 0;
    if (!isKept) failed++;
    print(isKept ? `passed: ${name}` : `FAILED: ${name}\n${formatFailure(result)}`);
  }
  print(`${regressions.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Shrinks a failure, prints its story, and adds it to the regressions. */
async function keepRegression(
  name: string,
  seed: string,
  options: SimulationOptions,
  print: (text: string) => void,
): Promise<void> {
  const shrunk = await shrink(seed, options);
  if (!shrunk) return;
  const { plan, lines, result } = shrunk;
  print(foldStory(result.story).join('\n'));
  print(`The story had ${lines[0]} lines, and has ${lines[1]} now.`);
  const regression: Regression = { name, seed, isShort: options.isShort ?? false, plan };
  const all = [...readRegressions(), regression];
  writeFileSync(regressionFile, `${JSON.stringify(all, null, 2)}\n`);
}

const formatFailure = ({ seed, violations }: SimulationResult): string =>
  violations
    .slice(0, 4)
    .map(
      ({ name, detail, atMs }) =>
        `seed ${seed}, ${(atMs / 1000).toFixed(0)} s: ${name}: ${detail.slice(0, 300)}\n  (${invariants[name]})`,
    )
    .join('\n');

export { simulate } from './simulate.js';
