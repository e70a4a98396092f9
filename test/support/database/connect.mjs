// Connections for child processes and benchmarks, which run the built package.
import { postgresPool } from '@partner-ramp/react/server/sql';
import { connectWith } from './connectWith.mjs';

export const { connect } = connectWith(postgresPool);
