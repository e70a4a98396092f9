import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  type TestDatabase,
} from '../support/database/sqlDatabases.js';
import {
  expectNothingLost,
  type FaultScenario,
  startFaultScenario,
  withApplicationName,
} from './startFaultScenario.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 200);
/** On average one in 25 freezes lasts 11 s, longer than the lease and the server's limit for idle transactions. */
const LONG_FREEZE = 25;

const pick = (count: number) => Math.floor(Math.random() * count);
const freezeMs = () => (pick(LONG_FREEZE) === 0 ? 11_000 : Math.random() * 1500);

type Fault = (scene: FaultScenario, name: string) => Promise<void>;

const kill: Fault = async (scene) => {
  const index = pick(scene.instances.length);
  await scene.instances[index]?.kill();
  await scene.restart(index);
};

const freeze: Fault = async ({ instances }) => {
  const instance = instances[pick(instances.length)];
  instance?.freeze();
  await wait(freezeMs());
  instance?.resume();
};

/** Returns the process IDs of the PostgreSQL backends that serve the instances. */
const backends = async ({ direct }: FaultScenario, name: string) => {
  const found = sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = ${name} and pid <> pg_backend_pid()`;
  return (await found.execute(direct)).rows.map(({ pid }) => pid);
};

const freezeBackend: Fault = async (scene, name) => {
  const pids = await backends(scene, name);
  const pid = pids[pick(pids.length)];
  if (!pid) return;
  signal(pid, 'SIGSTOP');
  await wait(freezeMs());
  signal(pid, 'SIGCONT');
};

const endBackend: Fault = async (scene, name) => {
  const pids = await backends(scene, name);
  const pid = pids[pick(pids.length)];
  if (pid) await sql`select pg_terminate_backend(${pid})`.execute(scene.direct);
};

/** Sends a signal. Ignores errors, because the process may have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

const stores: readonly (readonly [string, () => Promise<TestDatabase>, readonly Fault[]])[] = [
  ['SQLite', createSqliteDatabase, [kill, freeze]],
  ['PostgreSQL', () => createPostgresDatabase(), [kill, freeze, freezeBackend, endBackend]],
];

describe.each(stores)('%s', (store, open, faults) => {
  it(`keeps every acknowledged change in ${ROUNDS} rounds of kill, freeze and resume`, async () => {
    const database = await open();
    // The application name distinguishes the connections of the instances from the connections of this test.
    const name = `${database.schema}_instance`;
    const target = withApplicationName(database.target, name);
    const scene = await startFaultScenario(database, { targets: [target, target] });
    onTestFinished(scene.close);
    const closeShop = scene.startShoppers(6);
    const counts = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      await wait(Math.random() * 400);
      const fault = faults[pick(faults.length)] as Fault;
      counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
      await fault(scene, name);
    }
    await closeShop();
    await expectNothingLost(scene);
    const { references, webhooks } = scene.acknowledged;
    process.stdout.write(
      `${store}, ${ROUNDS} rounds (${[...counts].map(([fault, count]) => `${fault} ${count}`).join(', ')}): ${references.length} checkouts, ${webhooks.length} webhooks and ${scene.orders.length} orders, none lost, none delivered twice; ${scene.countRepeatedCalls()} callbacks repeated\n`,
    );
    expect(references.length).toBeGreaterThan(ROUNDS);
    expect(webhooks.length).toBeGreaterThan(ROUNDS / 10);
  });
});
