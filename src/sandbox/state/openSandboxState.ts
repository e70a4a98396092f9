import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { createConfigError } from '../../protocol/errors/RampError.js';
import { MAX_ORDERS, type OrderEntry, type OrderJournal } from '../orders.js';
import { type SavedKeys, savedKeys } from './keys.js';
import { isLock, lockFolder } from './lockFolder.js';
import { getFileSize, writePrivateFile } from './writePrivateFile.js';

/** The folder in which a sandbox keeps its keys and orders from one run to the next. */
export interface SandboxState {
  /** Absent at the first start. */
  readonly keys: SavedKeys | undefined;
  saveKeys(keys: SavedKeys): void;
  readonly journal: OrderJournal;
  /** Unlocks the folder, so that another sandbox can use it. */
  close(): void;
}

const KEYS = 'keys.json';
const ORDERS = 'orders.jsonl';

/**
 * Opens the folder for one sandbox, and creates it if it does not exist.
 *
 * @throws RampError `ERR_CONFIG_INVALID` if the folder contains other files, cannot be used, is damaged, or is in use
 * by another sandbox.
 */
export function openSandboxState(folder: string): SandboxState {
  const close = claimFolder(folder);
  const keysPath = join(folder, KEYS);
  try {
    return {
      keys: readKeys(keysPath),
      saveKeys: (keys) => writePrivateFile(keysPath, `${JSON.stringify(keys, null, 2)}\n`),
      journal: openJournal(join(folder, ORDERS)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function refuse(message: string, cause?: unknown): never {
  throw createConfigError('Sandbox:', message, cause === undefined ? {} : { cause });
}

/**
 * Makes the folder readable by its owner only, and locks it. A folder with other files does not belong to a sandbox, so
 * it is left alone.
 *
 * @returns A function that unlocks the folder.
 */
function claimFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(folder).isDirectory()) refuse(`the state ${folder} is not a folder.`);
    const names = readdirSync(folder).filter((name) => !isLock(name));
    if (names.length > 0 && !names.includes(KEYS))
      refuse(`the folder ${folder} contains other files. Set a new or empty folder as state.`);
    chmodSync(folder, 0o700);
    const locked = lockFolder(folder);
    if (typeof locked === 'function') return locked;
    return refuse(
      `the folder ${folder} is in use by the sandbox of process ${locked.pid}, and two would damage the orders. Stop that one, or set another folder as state. If process ${locked.pid} is not a sandbox, delete ${locked.path}.`,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_CONFIG_INVALID') throw error;
    return refuse(`the folder ${folder} cannot be used as state (${code}).`, error);
  }
}

function readKeys(path: string): SavedKeys | undefined {
  if (getFileSize(path) === 0) return undefined;
  try {
    return savedKeys.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // No cause: the message of a syntax error quotes the file.
    return refuse(`${path} is damaged. Delete it to get new keys.`);
  }
}

function openJournal(path: string): OrderJournal {
  const entries = readEntries(path);
  return {
    entries,
    append(entry) {
      const size = getFileSize(path);
      try {
        appendFileSync(path, toLine(entry), { mode: 0o600 });
      } catch (error) {
        // Remove the partial line that a full disk may leave behind, because it would damage the next line.
        if (getFileSize(path) > size) truncateSync(path, size);
        throw error;
      }
    },
  };
}

const toLine = (entry: OrderEntry): string => `${JSON.stringify(entry)}\n`;

/**
 * Reads the orders, one in each line. If the sandbox was killed while it wrote the last line, that line is incomplete.
 * It is removed, because no shopper has seen its order.
 */
function readEntries(path: string): OrderEntry[] {
  if (getFileSize(path) === 0) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  const rest = lines.pop();
  const entries = lines.map((line, at): OrderEntry => {
    try {
      return JSON.parse(line);
    } catch {
      return refuse(
        `line ${at + 1} of ${path} is damaged. Delete the line, or the file to start without orders.`,
      );
    }
  });
  const kept = entries.slice(-MAX_ORDERS);
  if (rest || kept.length < entries.length) writePrivateFile(path, kept.map(toLine).join(''));
  return kept;
}
