import { postgresPool, sqliteDialect } from '../../../src/server/sql/index.js';
import { connectWith } from './connectWith.mjs';

/** The functions that connect to databases with the sources of the package, for tests in this process. */
export const { connect, dialectOf } = connectWith({ postgresPool, sqliteDialect });
