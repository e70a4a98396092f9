import type { NextConfig } from 'next';

/** The shop is a project of its own, though it lies inside another. */
const config: NextConfig = {
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};

export default config;
