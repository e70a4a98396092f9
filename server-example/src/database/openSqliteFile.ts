import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';

/**
 * Opens a SQLite file. The folder and the file are created for this user only, because they contain
 * wallets and orders. The files that SQLite creates beside it get the same mode. Existing ones keep their
 * mode.
 */
export function openSqliteFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  return new Libsql(file);
}
