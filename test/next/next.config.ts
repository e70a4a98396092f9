import type { NextConfig } from 'next';

/** Sets the root to this folder. Next would otherwise choose the repository, because it has a lockfile too. */
const config: NextConfig = {
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};

export default config;
