import type { NextConfig } from 'next';

/** libsql is a native module, which Next cannot bundle. */
const config: NextConfig = { serverExternalPackages: ['libsql'] };

export default config;
