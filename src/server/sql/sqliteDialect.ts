import { type Dialect, SqliteDialect } from 'kysely';
import { refuseInCallback } from './transactions/sqliteTransactions.js';

/** A statement of a {@link SqliteConnection}. */
export interface SqliteStatement {
  /** Executes the statement and returns its rows. */
  all(...parameters: unknown[]): unknown[];
  /** Executes a statement that returns no rows. */
  run(...parameters: unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** Executes the statement and returns its rows one by one. */
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
  /** Returns the columns of the statement's rows, or none if it returns no rows. */
  columns(): readonly unknown[];
  /**
   * Whether the statement returns rows. Only better-sqlite3 sets this, because its `columns` throws for statements that
   * return none.
   */
  readonly reader?: boolean | undefined;
}

/** An open SQLite database: `DatabaseSync` of `node:sqlite`, or an object with the same methods. */
export interface SqliteConnection {
  /** Compiles a statement. */
  prepare(sql: string): SqliteStatement;
  /** Closes the file. */
  close(): void;
}

/**
 * Creates a Kysely dialect for a SQLite file: for `DatabaseSync` of `@photostructure/sqlite` (Node.js 20 and newer, no
 * compiler needed) or of `node:sqlite` (Node.js 22.16 and newer), and for `Database` of `better-sqlite3`.
 *
 * Unlike Kysely's own dialect, it refuses a statement on the Kysely instance inside a callback of `withTransaction`.
 * Such a statement would wait for its own transaction.
 *
 * @example
 * const kysely = new Kysely({ dialect: sqliteDialect(new DatabaseSync('orders.db')) });
 * const store = sqlOrderStore(kysely);
 */
export function sqliteDialect(database: SqliteConnection): Dialect {
  const dialect = new SqliteDialect({
    database: {
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          reader: statement.reader ?? statement.columns().length > 0,
          all: (parameters) => statement.all(...parameters),
          run: (parameters) => statement.run(...parameters),
          iterate: (parameters) => statement.iterate(...parameters),
        };
      },
      close: () => database.close(),
    },
  });
  // Every Kysely instance of this database has the same adapter, by which a transaction recognizes the database.
  const adapter = dialect.createAdapter();
  return {
    createAdapter: () => adapter,
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (kysely) => dialect.createIntrospector(kysely),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async () => {
        refuseInCallback(adapter);
        return acquire();
      };
      return driver;
    },
  };
}
