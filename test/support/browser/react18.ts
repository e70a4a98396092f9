import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../react-18/node_modules/', import.meta.url));

/** Puts the oldest React that is supported in the place of this project's. */
export const react18 = [
  { find: /^react($|\/)/, replacement: `${folder}react$1` },
  { find: /^react-dom($|\/)/, replacement: `${folder}react-dom$1` },
];
