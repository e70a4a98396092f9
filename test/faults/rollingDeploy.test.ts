import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { buildEarlierRelease } from '../support/database/buildEarlierRelease.js';
import { createPostgresDatabase } from '../support/database/sqlDatabases.js';
import {
  expectNothingLost,
  type FaultScenario,
  startFaultScenario,
} from '../support/database/startFaultScenario.js';
import type { RampInstance } from '../support/database/startInstance.js';
import { openEventStream } from '../support/server/openEventStream.js';

/** How long each combination of releases runs while shoppers buy. */
const PHASE_MS = 4000;

const script = await buildEarlierRelease();

/** Opens a checkout on one instance, pays, and expects that a stream of each instance shows it. */
async function expectStreams(scene: FaultScenario, opened: RampInstance): Promise<void> {
  const reference = (await scene.createCheckout(opened)) as string;
  const streams = await Promise.all(
    scene.instances.map(({ url }) =>
      openEventStream(`${url}/api/ramp/checkouts/${reference}/events`),
    ),
  );
  for (const stream of streams) await stream.until('"waiting"');
  scene.listPaidOrder(reference);
  for (const stream of streams) {
    await stream.until('"finished"');
    stream.leave();
  }
}

it.skipIf(!script)(
  'an upgrade of one instance after the other, and the way back, lose no order and deliver none twice',
  async () => {
    const { target, ...database } = await createPostgresDatabase();
    const targets = [target, target];
    const scene = await startFaultScenario({ target, ...database }, { targets, script });
    onTestFinished(scene.close);
    const closeShop = scene.startShoppers(3);
    const replace = async (index: number, release: string | undefined) => {
      await scene.instances[index]?.kill();
      await scene.restart(index, { script: release, listens: release === undefined });
    };
    const phases: readonly (readonly [number, string | undefined])[] = [
      [0, undefined], // the new release beside the earlier one
      [1, undefined], // only the new release
      [0, script], // back: the earlier release on the new tables
      [1, script],
      [0, undefined],
    ];
    await wait(PHASE_MS);
    for (const [index, release] of phases) {
      await replace(index, release);
      await wait(PHASE_MS);
      for (const opened of [...scene.instances]) await expectStreams(scene, opened);
    }
    await closeShop();
    await expectNothingLost(scene);
    const { references, webhooks } = scene.acknowledged;
    process.stdout.write(
      `${phases.length} replaced instances: ${references.length} checkouts, ${webhooks.length} webhooks and ${scene.orders.length} orders, none lost, none delivered twice\n`,
    );
    expect(references.length).toBeGreaterThan(20);
  },
);
