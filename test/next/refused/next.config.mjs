import { dirname } from 'node:path';

/** Resolves Next and the package from the folder above. */
const root = dirname(import.meta.dirname);

export default { turbopack: { root }, outputFileTracingRoot: root };
