import { dirname } from 'node:path';

/** The parent folder, because its node_modules contains Next and the package. */
const root = dirname(import.meta.dirname);

export default { turbopack: { root }, outputFileTracingRoot: root };
