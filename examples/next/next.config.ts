import type { NextConfig } from 'next';

/** @photostructure/sqlite is a native module, which Next cannot bundle. */
const config: NextConfig = { serverExternalPackages: ['@photostructure/sqlite'] };

export default config;
