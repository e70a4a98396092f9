import { parse } from 'lossless-json';
import { expect, it } from 'vitest';

/** Parses JSON as the API client does: numbers become strings, so that no digit is lost. */
export const parseWireJson = (json: string): unknown => parse(json, null, (digits) => digits);

/** A JSON text that the service may send for a field, and the expected parsed value or {@link expectIssue}. */
export type WireCase = readonly [wire: string, value: unknown];
type Fields = Readonly<Record<string, readonly WireCase[]>>;

export const expectIssue = (message: string) => ({ refused: message });
const missing: readonly WireCase[] = [
  ['""', expectIssue('is missing')],
  ['null', expectIssue('is missing')],
];
const absent: readonly WireCase[] = [
  ['""', undefined],
  ['null', undefined],
];
export const text: readonly WireCase[] = [
  ['"a b"', 'a b'],
  ['12345678901234567890', '12345678901234567890'],
  ['{}', expectIssue('must be text')],
  ['true', expectIssue('must be text')],
];
/** The forms of a field that is left out instead of refused. */
export const lenient = (forms: readonly WireCase[]): readonly WireCase[] =>
  forms.map(([wire, value]) => [wire, Object(value).refused ? undefined : value]);
export const decimal: readonly WireCase[] = [
  ['93.09000000', '93.09000000'],
  ['"93.09000000"', '93.09000000'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
  ['"999999999999999999"', '999999999999999999'],
  ['0', '0'],
  ['-0.5', '-0.5'],
  ['1.5e-7', '0.00000015'],
  ['12E+3', '12000'],
  ['"1,000"', expectIssue('must be a decimal number')],
  ['"NaN"', expectIssue('must be a decimal number')],
  ['1e999', expectIssue('must be a decimal number')],
  ['[]', expectIssue('must be a decimal number')],
];
export const seconds: readonly WireCase[] = [
  ['1666000000', 1_666_000_000],
  ['"1666000000"', 1_666_000_000],
  ['0', undefined],
  ['"0"', undefined],
  ['"0000000000"', undefined],
  ['1666000000000', expectIssue('must be a Unix time in seconds')],
  ['"2022-10-18"', expectIssue('must be a Unix time in seconds')],
  ['1.5', expectIssue('must be a Unix time in seconds')],
];
export const count: readonly WireCase[] = [
  ['7', 7],
  ['"7"', 7],
  ['"7.5"', expectIssue('must be a whole number')],
  ['-1', expectIssue('must be a whole number')],
];
export const icon: readonly WireCase[] = [
  ['"https://cdn.example/card.svg"', 'https://cdn.example/card.svg'],
  ['"http://127.0.0.1:4010/card.svg"', 'http://127.0.0.1:4010/card.svg'],
  ['"http://cdn.example/card.svg"', undefined],
  ['"javascript:alert(1)"', undefined],
  ['"card.svg"', undefined],
];
export const processingTime: readonly WireCase[] = [
  ['"3 - 7Min"', { text: '3 - 7Min', minMinutes: 3, maxMinutes: 7 }],
  ['"10-15 min"', { text: '10-15 min', minMinutes: 10, maxMinutes: 15 }],
  ['"1 day"', { text: '1 day' }],
];
export const option = { name: 'CARD_PAYMENT' };
export const options: readonly WireCase[] = [
  ['[{"name":"CARD_PAYMENT"}]', [option]],
  ['{"name":"CARD_PAYMENT"}', [option]],
  ['[]', []],
  ['""', []],
  ['null', []],
  ['"CARD_PAYMENT"', expectIssue('must be an object')],
];
export const required = (forms: readonly WireCase[]) => [...forms, ...missing];
export const optional = (forms: readonly WireCase[]) => [...forms, ...absent];

/** Tests each case of each field of a resource. The other fields have the valid values of `rest`. */
export function testWireForms(
  fields: Fields,
  rest: Readonly<Record<string, unknown>>,
  parseOne: (json: string) => unknown,
) {
  const rows = Object.entries(fields).flatMap(([field, forms]) =>
    forms.map(([wire, value]) => ({ field, wire, value })),
  );
  it.each(rows)('$field as $wire', ({ field, wire, value }) => {
    const others = Object.entries(rest).filter(([name]) => name !== field);
    const items = [...others.map(([name, v]) => `"${name}":${JSON.stringify(v)}`)];
    const json = `{${[...items, `"${field}":${wire}`].join(',')}}`;
    if (typeof value === 'object' && value !== null && 'refused' in value) {
      expect(() => parseOne(json)).toThrow(
        expect.objectContaining({
          code: 'ERR_RESPONSE_INVALID',
          issues: expect.arrayContaining([
            { param: expect.stringContaining(field), message: value.refused },
          ]),
        }),
      );
      return;
    }
    expect((parseOne(json) as Record<string, unknown>)[field]).toEqual(value);
  });

  it('returns only the fields of the interface', () => {
    const parsed = parseOne(JSON.stringify({ ...rest, unknownField: 'x' }));
    expect(parsed).not.toHaveProperty('unknownField');
  });
}
