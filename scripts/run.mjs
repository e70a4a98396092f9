// Usage: node scripts/run.mjs FILE FUNCTION [ARGUMENT …]. Calls a function that the TypeScript module FILE exports.
// Vite loads the module, because Node.js 20 cannot run TypeScript.
import { runnerImport } from 'vite';

const [file, name, ...args] = process.argv.slice(2);
const { module } = await runnerImport(`./${file}`);
await module[name](...args);
