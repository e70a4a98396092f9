import type { SignatureExplanation } from '../explain/explainSignature.js';
import type { MessageKind } from '../explain/signedMessage.js';

/** Explains a signature, and the signer's text if it is given. */
export type Explain = (signerText?: string) => SignatureExplanation;

/** One message as the console shows it: a widget that was opened, a request to the partner API, or a webhook. */
export interface JournalEntry {
  readonly id: number;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly time: number;
  readonly kind: MessageKind;
  /** What the message was, such as `GET /open/api/onramp/order`. */
  readonly title: string;
  readonly isAccepted: boolean;
  /** The outcome, such as `opened` or `10003 Signature error`. */
  readonly result: string;
  /** Why the message was refused. */
  readonly message?: string | undefined;
  /** Explains the signature. Absent if the message has none. */
  readonly explain?: Explain | undefined;
  /** The fault that the sandbox injected. */
  readonly fault?: string | undefined;
}

const MAX_ENTRIES = 200;

/** The latest messages of a sandbox. They contain no key and no signature. */
export interface SandboxJournal {
  add(entry: Omit<JournalEntry, 'id' | 'time'>): void;
  find(id: number): JournalEntry | undefined;
  /** Returns the entries after this one, oldest first. */
  listAfter(id: number): readonly JournalEntry[];
}

export function createSandboxJournal(now: () => number): SandboxJournal {
  const entries: JournalEntry[] = [];
  let lastId = 0;
  return {
    add(entry) {
      lastId += 1;
      entries.push({ id: lastId, time: now(), ...entry });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    find: (id) => entries.find((entry) => entry.id === id),
    listAfter: (id) => entries.filter((entry) => entry.id > id),
  };
}
