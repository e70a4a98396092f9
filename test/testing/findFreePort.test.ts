import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../src/testing/findFreePort.mjs';

it('gives another port each time, which no server on port 0 gets', async () => {
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  expect(new Set(ports).size).toBe(3);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
  // Linux gives ports from 32768 on, other systems from 49152 on.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('leaves out a port on which a server listens', async () => {
  const taken = (await findFreePort()) + 1;
  const server = createServer().listen(taken);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await findFreePort()).not.toBe(taken);
});
