// The process of a store: for each line { id, method, args } of its input it calls the store, and prints a line
// { id, value } or { id, error } with the result.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { connect } from './connect.mjs';

const [target = ''] = process.argv.slice(2);
const store = sqlOrderStore(connect(target));

/** A sync that never ends. Functions cannot be sent, so the parent process refers to it by name. */
const endless = () => new Promise(() => {});

async function handleCall({ id, method, args }) {
  const given = method === 'withSyncLease' ? [endless] : args;
  const result = await store[method](...given).then(
    (value) => ({ id, value }),
    ({ message }) => ({ id, error: message }),
  );
  // Synchronous, so that the result is written before other code runs. An unwritten result is not acknowledged.
  writeSync(1, `${JSON.stringify(result)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => handleCall(JSON.parse(line)));
process.stdin.once('end', () => process.exit());
