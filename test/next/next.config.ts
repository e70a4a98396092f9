import type { NextConfig } from 'next';

/** Sets the root, because the shop is a separate project inside the folder of another project. */
const config: NextConfig = {
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};

export default config;
