import { LosslessNumber } from 'lossless-json';
import type { SandboxQuirks } from './SandboxQuirks.js';

/** The format of each kind of value, with or without the quirks. */
export interface WireFormat {
  code(code: number): number | string;
  /** Returns a number token with every digit of `text`, including trailing zeros. */
  decimal(text: string): LosslessNumber | string;
  time(seconds: number): number | string;
  count(count: number): number | string;
  list<T>(items: readonly T[]): readonly T[] | '';
  /** Returns the payment options of one currency. `chosen` is the option of a quote. */
  options<T>(all: readonly T[], chosen: T | undefined): readonly T[] | T;
}

/** Creates the format of a sandbox. Quirks that `quirks` omits are off. */
export function createWireFormat(quirks: Partial<SandboxQuirks>): WireFormat {
  return {
    code: (code) => (quirks.codeAsText ? String(code) : code),
    decimal: (text) => (quirks.decimalsAsText ? text : new LosslessNumber(text)),
    time: (seconds) => (quirks.timesAsText ? String(seconds) : seconds),
    count: (count) => (quirks.countsAsText ? String(count) : count),
    list: (items) => (quirks.emptyListAsText && items.length === 0 ? '' : items),
    options: (all, chosen) => {
      const one = chosen ?? (all.length === 1 ? all[0] : undefined);
      return quirks.paymentOptionsAsObject && one !== undefined ? one : all;
    },
  };
}
