import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from './config/readConfig.js';
import { createLogger } from './http/createLogger.js';
import { startServer } from './http/startServer.js';
import { openShop } from './openShop.js';
import { stopOnSignal } from './stopOnSignal.js';

const ENV_FILE = fileURLToPath(new URL('../../.env', import.meta.url));
/** The folder of the built storefront, beside the compiled server. */
const STOREFRONT = fileURLToPath(new URL('../storefront/', import.meta.url));

try {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const shop = await openShop(config, logger, { storefront: STOREFRONT });
  const server = await startServer(shop.app, config).catch(async (error) => {
    await shop.close();
    throw error;
  });
  stopOnSignal(server, shop, logger);
  shop.start();
  const { host, port, shopOrigins: origins } = config;
  logger.info({ host, port, origins, database: describeDatabase(config) }, 'listening');
} catch (error) {
  // Write to standard error, not to the log, because the person who starts the shop reads standard error.
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

/** Describes the database without its URL, which contains a password. */
function describeDatabase({ databaseUrl }: { readonly databaseUrl: string | undefined }): string {
  return databaseUrl ? 'PostgreSQL' : 'SQLite';
}

function describeError(error: unknown): string {
  if (error instanceof ConfigError)
    return ['The shop cannot start. See .env.example.', ...error.lines].join('\n  ');
  return error instanceof Error ? error.message : 'The shop cannot start.';
}
