import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../react-18/node_modules/', import.meta.url));

/** Vite aliases that replace this project's React with React 18, the oldest supported version. */
export const react18 = [
  { find: /^react($|\/)/, replacement: `${folder}react$1` },
  { find: /^react-dom($|\/)/, replacement: `${folder}react-dom$1` },
];
