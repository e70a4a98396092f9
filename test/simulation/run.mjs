// npm run simulate. `npm run simulate -- --help` lists the options.
import { loadSimulation } from './bundle.mjs';

const { run } = await loadSimulation('simulation');
const code = await run(process.argv.slice(2));
// Connections to PostgreSQL would keep the process alive. Exit only when a pipe has taken all of the output.
process.stdout.write('', () => process.exit(code));
