import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sqlOrderStore } from '@partner-ramp/react/server/sql';
import { readConfig } from './config/readConfig.js';
import { openDatabase } from './database/openDatabase.js';
import { shopperErasures } from './erasure/shopperErasures.js';

// Erases the data of the shopper who opened a checkout. Run: node dist/server/eraseShopper.js <reference>

const ENV_FILE = fileURLToPath(new URL('../../.env', import.meta.url));

const throwError = (error: unknown) => {
  throw error;
};

async function eraseShopper(reference: string): Promise<string> {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const database = await openDatabase(readConfig(process.env), throwError);
  try {
    const store = sqlOrderStore(database.db);
    const subject = (await store.findCheckout(reference))?.subject;
    if (subject === undefined) throw new Error('No checkout has this reference.');
    const erasures = shopperErasures({ database, store, onError: throwError });
    return JSON.stringify(await erasures.erase(subject), null, 2);
  } finally {
    await database.close();
  }
}

try {
  const [reference] = process.argv.slice(2);
  if (!reference) throw new Error('Pass the reference of a checkout of the shopper.');
  process.stdout.write(`${await eraseShopper(reference)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'The erasure failed.'}\n`);
  process.exitCode = 1;
}
