// A store in a process of its own: answers each line { id, method, args } of its input, as soon as the
// store has, with a line { id, value } or { id, error }.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { connect } from './connect.mjs';

const [target = ''] = process.argv.slice(2);
const store = sqlOrderStore(connect(target));

/** A sync that never ends cannot be sent: it is known by its name. */
const endless = () => new Promise(() => {});

async function answer({ id, method, args }) {
  const given = method === 'withSyncLease' ? [endless] : args;
  const answered = await store[method](...given).then(
    (value) => ({ id, value }),
    ({ message }) => ({ id, error: message }),
  );
  // Written before anything else can happen: what is not written was not acknowledged.
  writeSync(1, `${JSON.stringify(answered)}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
process.stdin.once('end', () => process.exit());
