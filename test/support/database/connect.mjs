// Connects to databases with the built package. For child processes and benchmarks, which cannot import TypeScript.
import { postgresPool, sqliteDialect } from '@partner-ramp/react/server/sql';
import { connectWith } from './connectWith.mjs';

export const { connect } = connectWith({ postgresPool, sqliteDialect });
