// The process of a remote store. Each input line { id, method, args } is a call of the store. The process prints its
// result as a line { id, value } or { id, error }.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { connect } from './connect.mjs';

const [target = ''] = process.argv.slice(2);
const store = sqlOrderStore(connect(target));

/** What withSyncLease runs, because the parent process cannot send a function: a sync that never ends. */
const endless = () => new Promise(() => {});

async function handleCall({ id, method, args }) {
  const given = method === 'withSyncLease' ? [endless] : args;
  const result = await store[method](...given).then(
    (value) => ({ id, value }),
    ({ message }) => ({ id, error: message }),
  );
  // Write synchronously. Otherwise the process could be killed after other code has run, but before it has written the
  // result, and the call would not count as acknowledged.
  writeSync(1, `${JSON.stringify(result)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => handleCall(JSON.parse(line)));
process.stdin.once('end', () => process.exit());
