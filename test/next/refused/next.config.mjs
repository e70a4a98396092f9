import { dirname } from 'node:path';

/** Next and the package resolve from the parent folder. */
const root = dirname(import.meta.dirname);

export default { turbopack: { root }, outputFileTracingRoot: root };
