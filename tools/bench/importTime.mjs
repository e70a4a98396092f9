// Measures the CPU time of importing the server's entry: the time of a Node.js process that imports it, minus the time
// of one that imports nothing.
import { spawnSync } from 'node:child_process';

const ROUNDS = 10;
const LIMIT_MS = 60;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Returns the CPU milliseconds that a new Node.js process uses from its start until it has imported these modules. */
function measure(...specifiers) {
  const imports = specifiers.map((specifier) => `await import('${specifier}');`);
  const code = `${imports.join('')} const { user, system } = process.cpuUsage(); console.log(user + system);`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return Number(stdout) / 1000;
}

// Alternate both measurements, so that other load on the machine slows both.
const rounds = Array.from({ length: ROUNDS }, () => ({
  empty: measure(),
  server: measure('@partner-ramp/react/server'),
}));
const empty = median(rounds.map((round) => round.empty));
const server = median(rounds.map((round) => round.server));
const ms = server - empty;
console.log(
  `import of /server: ${ms.toFixed(0)} ms of CPU over an empty process (${server.toFixed(0)} against ${empty.toFixed(0)} ms), limit ${LIMIT_MS} ms`,
);
if (ms > LIMIT_MS) process.exitCode = 1;
