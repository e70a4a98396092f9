// npm run simulate. `npm run simulate -- --help` lists the options.
import { loadSimulation } from './bundle.mjs';

const { run } = await loadSimulation('simulation');
// Connections to PostgreSQL would keep the process alive.
process.exit(await run(process.argv.slice(2)));
