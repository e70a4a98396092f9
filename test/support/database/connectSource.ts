import { postgresPool } from '../../../src/server/sql/index.js';
import { connectWith } from './connectWith.mjs';

/** Connections for tests in this process, which run the sources. */
export const { connect, dialectOf } = connectWith(postgresPool);
