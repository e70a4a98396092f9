import { LosslessNumber } from 'lossless-json';
import type { SandboxQuirks } from './SandboxQuirks.js';

/** How each kind of value is written, with or without the quirks. */
export interface WireFormat {
  code(code: number): number | string;
  /** A number token with every digit of `text`, trailing zeros too. */
  decimal(text: string): LosslessNumber | string;
  time(seconds: number): number | string;
  count(count: number): number | string;
  list<T>(items: readonly T[]): readonly T[] | '';
  /** The payment options of one currency, with the one that a price is for where there is one. */
  options<T>(all: readonly T[], chosen: T | undefined): readonly T[] | T;
}

/** A quirk that is not named is off. */
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
