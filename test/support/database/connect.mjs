// Connections for child processes and benchmarks, which run what is built.
import { postgresPool } from '@partner-ramp/react/server/sql';
import { connectWith } from './connectWith.mjs';

export const { connect } = connectWith(postgresPool);
