// Calls an exported function of a TypeScript module, which Node 20 cannot run: node scripts/run.mjs FILE FUNCTION [ARGUMENT …]
import { runnerImport } from 'vite';

const [file, name, ...args] = process.argv.slice(2);
const { module } = await runnerImport(`./${file}`);
await module[name](...args);
