import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAmountFormats } from '../../../src/client/format/createAmountFormats.js';
import { createEstimateFormats } from '../../../src/client/format/createEstimateFormats.js';
import { createPriceFormats } from '../../../src/client/format/createPriceFormats.js';
import { createTimeFormat } from '../../../src/client/format/createTimeFormat.js';
import { countFormatters } from '../../support/countFormatters.js';

const digits = '123456789012345678.123456789012345678';

describe('createAmountFormats', () => {
  it('formats every digit of an amount', () => {
    const { number, coin, money, fiat } = createAmountFormats('en');
    expect(number(digits)).toBe('123,456,789,012,345,678.123456789012345678');
    expect(number('1234.500')).toBe('1,234.5');
    expect(number('97', 2)).toBe('97.00');
    expect(coin('0.10', 'ETH')).toBe('0.1\u00a0ETH');
    expect(money('1234.5', 'USD')).toBe('1,234.50\u00a0USD');
    expect(money('468421.53', 'JPY')).toBe('468,421.53\u00a0JPY');
    expect(fiat('20000', 'JPY')).toBe('20,000');
    expect(money('5', 'no code')).toBe('5\u00a0no code');
    expect(number('1e5')).toBe('1e5');
  });

  it.each([
    ['en', '1234.50'],
    ['de', '1234,50'],
    ['ar-EG', '١٢٣٤٫٥٠'],
    ['fa', '۱۲۳۴٫۵۰'],
  ])('writes an amount in %s as a shopper types it', (language, text) => {
    expect(createAmountFormats(language).ungrouped('1234.50')).toBe(text);
  });

  it('writes an amount without its leading zeros', () => {
    expect(createAmountFormats('en').ungrouped('007.10')).toBe('7.10');
    expect(createAmountFormats('en').ungrouped('0.05')).toBe('0.05');
  });

  it.each([
    ['de_DE', '1.234,5'],
    ['de_DE.UTF-8', '1.234,5'],
    ['es_MX', '1,234.5'],
    ['zh_Hans_CN', '1,234.5'],
    ['hi_IN', '1,234.5'],
  ])('understands the locale %s', (locale, text) => {
    expect(createAmountFormats(locale).number('1234.5')).toBe(text);
  });

  it('takes the language and the script of a locale with underscores', () => {
    expect(createAmountFormats('zh_Hans_CN').age(120)).toBe('2分钟前');
    expect(createAmountFormats('zh_Hant_TW').age(120)).toBe('2 分鐘前');
  });

  it.each(['', 'no language', 'C', 'x', '_', '🙂', undefined, null, 7])(
    'formats in English, and never throws, for the locale %s',
    (locale) => {
      expect(createAmountFormats(locale as string).number('1234.5')).toBe('1,234.5');
      expect(createTimeFormat(locale as string, 0)(1_790_000_000)?.text).toMatch(/Sep/);
    },
  );
});

describe('createPriceFormats', () => {
  it('formats money and coins with every digit', () => {
    const { money, coin } = createPriceFormats('de');
    expect(money('1234.5', 'EUR')).toBe('1.234,50\u00a0EUR');
    expect(coin('0.030729870000000000', 'ETH')).toBe('0,03072987\u00a0ETH');
  });
});

describe('the formatters of Intl', () => {
  let created: ReturnType<typeof countFormatters>;
  beforeEach(() => {
    created = countFormatters();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Formats what a card shows for one amount. */
  const formatAll = (amount: string) => {
    const formats = createAmountFormats('pt');
    const { estimate, unitPrice } = createEstimateFormats(formats);
    formats.ungrouped(amount);
    formats.signs();
    formats.money(amount, 'EUR');
    formats.coin(amount, 'EUR');
    formats.sign('EUR');
    formats.age(90);
    estimate(amount, 'USDT');
    estimate(amount, 'ETH');
    unitPrice(amount, 'EUR');
  };

  it('are created for the first amount of a language, and for no other', () => {
    formatAll('1');
    expect(created).toHaveBeenCalled();
    created.mockClear();
    for (const amount of ['12', '12.3', '12.34', digits]) formatAll(amount);
    expect(created).not.toHaveBeenCalled();
  });

  it('are created once for the times of a list, and not again when it is refreshed', () => {
    const now = Date.now();
    const formatList = (nowMs: number) => {
      const format = createTimeFormat('pt', nowMs);
      for (let days = 0; days < 50; days++) {
        format(now / 1000 - days * 86_400);
        format(now / 1000 - days * 86_400 * 20);
      }
    };
    formatList(now);
    const first = created.mock.calls.length;
    expect(first).toBeLessThanOrEqual(4);
    formatList(now + 20_000);
    expect(created).toHaveBeenCalledTimes(first);
  });
});
