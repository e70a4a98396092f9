import { describe, expect, it } from 'vitest';
import { createTimeFormat } from '../../../src/client/format/createTimeFormat.js';

const now = new Date(2026, 10, 21, 15, 0).getTime();
const at = (...parts: [number, number, number, number, number]) =>
  new Date(...parts).getTime() / 1000;
const written = (language: string, seconds: number | undefined) =>
  createTimeFormat(language, now)(seconds)?.text;

describe('createTimeFormat', () => {
  it('omits the day of today, and the year of this year', () => {
    expect(written('de', at(2026, 10, 21, 9, 5))).toBe('9:05');
    expect(written('de', at(2026, 10, 20, 14, 3))).toBe('20. Nov., 14:03');
    expect(written('de', at(2025, 10, 21, 14, 3))).toBe('21. Nov. 2025, 14:03');
  });

  it('uses the format of the language', () => {
    expect(written('en-US', at(2026, 10, 21, 14, 3))).toMatch(/^2:03\sPM$/);
    expect(written('ar-EG', at(2026, 10, 21, 14, 3))).toMatch(/٢:٠٣/);
    expect(written('no language', at(2026, 10, 21, 14, 3))).toMatch(/^2:03\sPM$/);
  });

  it('returns the ISO form', () => {
    expect(createTimeFormat('de', now)(1_790_000_000)?.iso).toBe('2026-09-21T14:13:20.000Z');
  });

  it.each([undefined, null, 'soon', Number.NaN, 1e18])('returns undefined for %s', (seconds) => {
    expect(written('en', seconds as never)).toBeUndefined();
  });
});
