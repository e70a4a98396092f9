import type { NextConfig } from 'next';

/** libsql is a native module, which no bundler can include. */
const config: NextConfig = { serverExternalPackages: ['libsql'] };

export default config;
