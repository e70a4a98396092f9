import * as z from 'zod/mini';
import { valueFormats } from '../../protocol/widget/valueFormats.js';

// The parameters of each API operation (docs/service-interface.md sections 4.2 to 4.5). Values are
// case-sensitive text.

const MAX_SIZE = 100;

const code = z.string({ error: 'is missing' });
const buyType = z.optional(z.enum(['fiat', 'nft'], { error: 'must be fiat or nft' }));
const seconds = code.check(
  z.regex(/^\d{1,11}$/, { error: 'must be a Unix time in whole seconds' }),
);
const { pattern, words } = valueFormats.count;
const count = z.pipe(
  z.string().check(z.regex(pattern, { error: `must be ${words}` })),
  z.transform(Number),
);
const size = count.check(z.lte(MAX_SIZE, { error: `must be at most ${MAX_SIZE}` }));

export const currencyQuery = z.strictObject({});

export const tokenQuery = z.strictObject({ buyType });

export const priceQuery = z.strictObject({
  fiatCurrency: code,
  currencyAmount: code,
  cryptoCurrencyCode: code,
  payment: z.optional(code),
  buyType,
});

export const orderQuery = z
  .strictObject({
    startTime: z.pipe(seconds, z.transform(Number)),
    endTime: z.pipe(seconds, z.transform(Number)),
    page: z._default(count, 1),
    size: z._default(size, 20),
  })
  .check(
    z.refine(({ startTime, endTime }) => startTime <= endTime, {
      error: 'must not be before startTime',
      path: ['endTime'],
    }),
  );

export type PriceQuery = z.infer<typeof priceQuery>;
export type OrderQuery = z.infer<typeof orderQuery>;
