import { describe, expect, it } from 'vitest';
import {
  type ParamsUse,
  parseWidgetParams,
  type RampError,
  type Widget,
  widgetParameters,
} from '../../../src/protocol/index.js';
import { createWidgetParamsSchema } from '../../../src/protocol/widget/createWidgetParamsSchema.js';
import { marketListing, mintListing } from '../../support/sandbox/nftListings.js';

function issuesOf(widget: Widget, input: unknown, use: ParamsUse = 'premium') {
  try {
    parseWidgetParams(widget, input, use as 'basic');
  } catch (error) {
    const { code, issues = [] } = error as RampError;
    expect(code).toBe('ERR_PARAMS_INVALID');
    return Object.fromEntries(issues.map(({ param, message }) => [param, message]));
  }
  return {};
}

const onRamp = (params: object, use?: ParamsUse) =>
  issuesOf('on-ramp', { walletAddress: '0xF0', ...params }, use);

describe('the parameter table', () => {
  it('names each parameter of a widget once', () => {
    for (const widget of ['on-ramp', 'nft'] as const) {
      const names = widgetParameters
        .filter((row) => (row.widgets as readonly string[]).includes(widget))
        .map((row) => row.name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('on-ramp parameters', () => {
  it.each(['100', '0.5', '99.50', '0', '999999999999999.99'])('take %s as an amount', (amount) => {
    expect(onRamp({ amount, amountFixed: amount })).toEqual({});
  });

  it.each(['99.505', '1e3', '-1', '+1', ' 1', '1 ', '1,000', '.5', '5.', '007', 'NaN', '١'])(
    'refuse %j as an amount',
    (amount) => expect(Object.keys(onRamp({ amount }))).toEqual(['amount']),
  );

  it.each(['USD', 'USD,EUR,JPY'])('take %s as fiat currencies', (fiatCurrency) => {
    expect(onRamp({ fiatCurrency })).toEqual({});
  });

  it.each(['usd', 'USD, EUR', 'USD,', ',USD', 'USD,,EUR', 'USD;EUR'])(
    'refuse %j as fiat currencies',
    (fiatCurrency) => expect(Object.keys(onRamp({ fiatCurrency }))).toEqual(['fiatCurrency']),
  );

  it('take 0 and 1 as flags and nothing else', () => {
    expect(onRamp({ walletAddressLocked: '1', walletAddressHidden: '0' })).toEqual({});
    for (const flag of ['true', '2', '01', 'yes'])
      expect(Object.keys(onRamp({ walletAddressLocked: flag }))).toEqual(['walletAddressLocked']);
  });

  it('require a wallet from a Premium Partner, and count an empty one as missing', () => {
    expect(issuesOf('on-ramp', {})).toEqual({ walletAddress: 'is required' });
    expect(issuesOf('on-ramp', { walletAddress: '' })).toEqual({ walletAddress: 'is required' });
    expect(issuesOf('on-ramp', {}, 'basic')).toEqual({});
  });

  it('keep what is for Premium Partners from a Basic one', () => {
    expect(onRamp({ walletAddressHidden: '1' }, 'basic')).toEqual({
      walletAddressHidden: 'is for Premium Partners: it needs a signer',
    });
  });

  it('take any length of what is not signed, and of ext', () => {
    const fiatCurrency = Array(300).fill('USD').join(',');
    expect(onRamp({ fiatCurrency, ext: 'x'.repeat(2000) })).toEqual({});
  });

  it('refuse an unknown widget', () => {
    expect(Object.keys(issuesOf('onramp' as Widget, {}))).toEqual(['widget']);
  });

  it('leave the email to the service, which empties a wrong one', () => {
    expect(onRamp({ email: 'not an e-mail' })).toEqual({});
  });

  it('answer without empty values', () => {
    const parsed = parseWidgetParams('on-ramp', { walletAddress: '0xF0', email: '', ext: '' });
    expect(parsed).toEqual({ walletAddress: '0xF0' });
  });

  it('say how a name is written that is only wrong in case', () => {
    expect(onRamp({ windowopen: '1' }).windowopen).toContain('windowOpen');
  });

  it.each(['signature', 'timestamp', 'nonce', 'partnerId'])('refuse %s from a caller', (name) => {
    expect(onRamp({ [name]: '1' })[name]).toContain('set by the signer');
  });

  it.each([null, undefined, 'x', 5, [], new Map(), () => {}])('refuse %s as a whole', (input) => {
    expect(Object.keys(issuesOf('on-ramp', input))).toEqual(['']);
  });

  it('refuse symbols, inherited values and a __proto__ key', () => {
    expect(onRamp({ [Symbol('x')]: '1' })).not.toEqual({});
    expect(issuesOf('on-ramp', Object.create({ walletAddress: '0xF0' }))).not.toEqual({});
    const poisoned = JSON.parse('{"walletAddress":"0xF0","__proto__":"x"}');
    expect(Object.keys(issuesOf('on-ramp', poisoned))).toEqual(['__proto__']);
  });

  it.each([5, true, null, {}, ['a']])('refuse the value %j, which is no string', (value) => {
    expect(Object.keys(issuesOf('on-ramp', { walletAddress: value }))).toEqual(['walletAddress']);
  });

  it('never repeat a value in a message', () => {
    const secret = 'sk&live';
    expect(JSON.stringify(onRamp({ amount: secret, walletAddress: secret }))).not.toContain(secret);
  });
});

describe('NFT parameters', () => {
  it('take a whole MINT and a whole MARKET set', () => {
    expect(issuesOf('nft', mintListing)).toEqual({});
    expect(issuesOf('nft', marketListing)).toEqual({});
  });

  it('require what the type requires', () => {
    expect(issuesOf('nft', { ...mintListing, mintQuantity: '' })).toEqual({
      mintQuantity: 'is required when type is MINT',
    });
    expect(
      Object.keys(issuesOf('nft', { ...marketListing, tokenId: '', ownerWalletAddress: '' })),
    ).toEqual(['tokenId', 'ownerWalletAddress']);
  });

  it('take an empty tag and do not keep it', () => {
    expect(parseWidgetParams('nft', { ...mintListing, walletAddressTag: '' })).not.toHaveProperty(
      'walletAddressTag',
    );
  });

  it('take a price of eighteen decimals and not of nineteen', () => {
    expect(issuesOf('nft', { ...mintListing, amount: '1.000000000000000001' })).toEqual({});
    expect(issuesOf('nft', { ...mintListing, amount: '1.0000000000000000001' })).not.toEqual({});
  });

  it('take a chain that is not among the nine, in lower case', () => {
    for (const nftNetwork of ['zora-sepolia', '0g'])
      expect(issuesOf('nft', { ...mintListing, nftNetwork })).toEqual({});
    expect(issuesOf('nft', { ...mintListing, nftNetwork: 'Ethereum' })).not.toEqual({});
  });
});

describe('createWidgetParamsSchema', () => {
  it('applies the rules of parseWidgetParams', () => {
    const onRampParamsSchema = createWidgetParamsSchema('on-ramp', 'premium');
    const nftParamsSchema = createWidgetParamsSchema('nft', 'premium');
    expect(onRampParamsSchema.safeParse({ walletAddress: '0xF0' }).success).toBe(true);
    expect(onRampParamsSchema.safeParse({}).success).toBe(false);
    expect(nftParamsSchema.safeParse(mintListing).success).toBe(true);
    expect(nftParamsSchema.safeParse({}).success).toBe(false);
  });
});

describe('the length of a signed value', () => {
  it('is at most 512 characters', () => {
    expect(onRamp({ walletAddress: 'x'.repeat(512) })).toEqual({});
    expect(onRamp({ walletAddress: 'x'.repeat(513) })).toEqual({
      walletAddress: 'is longer than 512 characters',
    });
    expect(onRamp({ ext: 'x'.repeat(5000) })).toEqual({});
  });
});
