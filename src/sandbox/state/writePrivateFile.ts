import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * Writes a file that only its owner can read, in place of the one at `path`. After a crash the file is either the old or
 * the new one, because a rename is atomic.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // The flag wx fails if the file exists, and does not follow a symbolic link.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the size of a file, or 0 if there is none. */
export const getFileSize = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;
