import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';

/**
 * Opens a file of SQLite. The folder and the file are created for this user alone, because they hold
 * wallets and orders; the files that SQLite puts beside it get the mode of the first one. Those that
 * exist already keep their mode.
 */
export function openSqliteFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  return new Libsql(file);
}
