import { postgresPool } from '../../../src/server/sql/index.js';
import { connectWith } from './connectWith.mjs';

/** Connect to databases with the sources of the package. For tests in this process. */
export const { connect, dialectOf } = connectWith(postgresPool);
