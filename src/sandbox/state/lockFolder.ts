import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LOCK = /^sandbox\.(\d+)-(\d+)-(\d+)\.lock$/;

/** Returns whether a file of this name is a lock. */
export const isLock = (name: string): boolean => LOCK.test(name);

/** Another sandbox that uses the folder. */
export interface FolderUser {
  readonly pid: number;
  /** The path of its lock, which may be deleted if the process is not a sandbox. */
  readonly path: string;
}

/**
 * Locks a folder for one sandbox on this machine. A lock ends with its process, even if that was killed. Returns the
 * sandbox that already uses the folder, or a function that unlocks the folder.
 */
export function lockFolder(folder: string): FolderUser | (() => void) {
  const { ino } = statSync(folder);
  // A restarted container gives its process the same ID again, so the name contains the time when the process started.
  // The inode distinguishes a copy of the folder, which contains the original's locks, from the original.
  const start = Math.floor(performance.timeOrigin);
  const own = `sandbox.${process.pid}-${start}-${ino}.lock`;
  const path = join(folder, own);
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { pid: process.pid, path };
    throw error;
  }
  const unlock = () => rmSync(path, { force: true });
  // Each process writes its own file before it looks for others. So if two processes start together, at least one sees
  // the other, and neither deletes the lock of a living process.
  for (const name of readdirSync(folder)) {
    const [, pid, , inode] = LOCK.exec(name) ?? [];
    if (pid === undefined || name === own) continue;
    const other = { pid: Number(pid), path: join(folder, name) };
    if (inode === `${ino}` && other.pid !== process.pid && isAlive(other.pid)) {
      unlock();
      return other;
    }
    rmSync(other.path, { force: true });
  }
  return unlock;
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
