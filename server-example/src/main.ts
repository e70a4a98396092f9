import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.js';
import { ConfigError, readConfig } from './config.js';
import { createLogger } from './logger.js';
import { serve, stopOnSignal } from './serve.js';

const ENV_FILE = fileURLToPath(new URL('../../.env', import.meta.url));

try {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const server = await serve(createApp(config, logger), config);
  stopOnSignal(server, logger);
  logger.info({ host: config.host, port: config.port, origins: config.shopOrigins }, 'listening');
} catch (error) {
  // Whoever starts it reads this, not a log.
  process.stderr.write(`${inWords(error)}\n`);
  process.exitCode = 1;
}

function inWords(error: unknown): string {
  if (error instanceof ConfigError)
    return ['The shop cannot start. See .env.example.', ...error.lines].join('\n  ');
  return error instanceof Error ? error.message : 'The shop cannot start.';
}
