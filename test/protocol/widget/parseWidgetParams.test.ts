import { describe, expect, it } from 'vitest';
import {
  type ParamsUse,
  parseWidgetParams,
  type RampError,
  type Widget,
  widgetParameters,
} from '../../../src/protocol/index.js';
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

describe('widgetParameters', () => {
  it('has each parameter of a widget once', () => {
    for (const widget of ['on-ramp', 'nft'] as const) {
      const names = widgetParameters
        .filter((row) => (row.widgets as readonly string[]).includes(widget))
        .map((row) => row.name);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('parseWidgetParams for the on-ramp widget', () => {
  it.each(['100', '0.5', '99.50', '0', '999999999999999.99'])(
    'accepts %s as an amount',
    (amount) => {
      expect(onRamp({ amount, amountFixed: amount })).toEqual({});
    },
  );

  it.each(['99.505', '1e3', '-1', '+1', ' 1', '1 ', '1,000', '.5', '5.', '007', 'NaN', '١'])(
    'refuses %j as an amount',
    (amount) => expect(Object.keys(onRamp({ amount }))).toEqual(['amount']),
  );

  it.each(['USD', 'USD,EUR,JPY'])('accepts %s as fiat currencies', (fiatCurrency) => {
    expect(onRamp({ fiatCurrency })).toEqual({});
  });

  it.each(['usd', 'USD, EUR', 'USD,', ',USD', 'USD,,EUR', 'USD;EUR'])(
    'refuses %j as fiat currencies',
    (fiatCurrency) => expect(Object.keys(onRamp({ fiatCurrency }))).toEqual(['fiatCurrency']),
  );

  it('accepts only 0 and 1 as flags', () => {
    expect(onRamp({ walletAddressLocked: '1', walletAddressHidden: '0' })).toEqual({});
    for (const flag of ['true', '2', '01', 'yes'])
      expect(Object.keys(onRamp({ walletAddressLocked: flag }))).toEqual(['walletAddressLocked']);
  });

  it('requires a wallet from a Premium Partner, and treats an empty wallet as missing', () => {
    expect(issuesOf('on-ramp', {})).toEqual({ walletAddress: 'is required' });
    expect(issuesOf('on-ramp', { walletAddress: '' })).toEqual({ walletAddress: 'is required' });
    expect(issuesOf('on-ramp', {}, 'basic')).toEqual({});
  });

  it('refuses parameters for Premium Partners from a Basic Partner', () => {
    expect(onRamp({ walletAddressHidden: '1' }, 'basic')).toEqual({
      walletAddressHidden: 'is for Premium Partners: it needs a signer',
    });
  });

  it('accepts any length of unsigned values and of ext', () => {
    const fiatCurrency = Array(300).fill('USD').join(',');
    expect(onRamp({ fiatCurrency, ext: 'x'.repeat(2000) })).toEqual({});
  });

  it('refuses an unknown widget', () => {
    expect(Object.keys(issuesOf('onramp' as Widget, {}))).toEqual(['widget']);
  });

  it('does not validate the email, because the service ignores a malformed one', () => {
    expect(onRamp({ email: 'not an e-mail' })).toEqual({});
  });

  it('returns the parameters without empty values', () => {
    const parsed = parseWidgetParams('on-ramp', { walletAddress: '0xF0', email: '', ext: '' });
    expect(parsed).toEqual({ walletAddress: '0xF0' });
  });

  it('suggests the right spelling for a name in the wrong case', () => {
    expect(onRamp({ windowopen: '1' }).windowopen).toContain('windowOpen');
  });

  it.each(['signature', 'timestamp', 'nonce', 'partnerId'])(
    'refuses %s, which the signer sets',
    (name) => {
      expect(onRamp({ [name]: '1' })[name]).toContain('set by the signer');
    },
  );

  it.each([null, undefined, 'x', 5, [], new Map(), () => {}])(
    'refuses %s as parameters',
    (input) => {
      expect(Object.keys(issuesOf('on-ramp', input))).toEqual(['']);
    },
  );

  it('refuses symbols, inherited values and a __proto__ key', () => {
    expect(onRamp({ [Symbol('x')]: '1' })).not.toEqual({});
    expect(issuesOf('on-ramp', Object.create({ walletAddress: '0xF0' }))).not.toEqual({});
    const poisoned = JSON.parse('{"walletAddress":"0xF0","__proto__":"x"}');
    expect(Object.keys(issuesOf('on-ramp', poisoned))).toEqual(['__proto__']);
  });

  it.each([5, true, null, {}, ['a']])('refuses the value %j, which is not a string', (value) => {
    expect(Object.keys(issuesOf('on-ramp', { walletAddress: value }))).toEqual(['walletAddress']);
  });

  it('never repeats a value in a message', () => {
    const secret = 'sk&live';
    expect(JSON.stringify(onRamp({ amount: secret, walletAddress: secret }))).not.toContain(secret);
  });
});

describe('parseWidgetParams for the NFT widget', () => {
  it('accepts complete MINT and MARKET parameters', () => {
    expect(issuesOf('nft', mintListing)).toEqual({});
    expect(issuesOf('nft', marketListing)).toEqual({});
  });

  it('requires the parameters that the type requires', () => {
    expect(issuesOf('nft', { ...mintListing, mintQuantity: '' })).toEqual({
      mintQuantity: 'is required when type is MINT',
    });
    expect(
      Object.keys(issuesOf('nft', { ...marketListing, tokenId: '', ownerWalletAddress: '' })),
    ).toEqual(['tokenId', 'ownerWalletAddress']);
  });

  it.each([undefined, null])('requires a tag: %s is none', (walletAddressTag) => {
    expect(issuesOf('nft', { ...mintListing, walletAddressTag })).toEqual({
      walletAddressTag: "is required, and is '' for a chain without tags",
    });
    expect(issuesOf('nft', { ...mintListing, walletAddressTag }, 'proposal')).toEqual({});
  });

  it('accepts an empty tag and drops it', () => {
    expect(parseWidgetParams('nft', { ...mintListing, walletAddressTag: '' })).not.toHaveProperty(
      'walletAddressTag',
    );
  });

  it('accepts a price with eighteen decimals, but not with nineteen', () => {
    expect(issuesOf('nft', { ...mintListing, amount: '1.000000000000000001' })).toEqual({});
    expect(issuesOf('nft', { ...mintListing, amount: '1.0000000000000000001' })).not.toEqual({});
  });

  it('accepts an undocumented chain in lower case', () => {
    for (const nftNetwork of ['zora-sepolia', '0g'])
      expect(issuesOf('nft', { ...mintListing, nftNetwork })).toEqual({});
    expect(issuesOf('nft', { ...mintListing, nftNetwork: 'Ethereum' })).not.toEqual({});
  });
});

describe('parseWidgetParams with complete parameters', () => {
  it('accepts them, and refuses none', () => {
    expect(issuesOf('on-ramp', { walletAddress: '0xF0' })).toEqual({});
    expect(issuesOf('on-ramp', {})).not.toEqual({});
    expect(issuesOf('nft', mintListing)).toEqual({});
    expect(issuesOf('nft', {})).not.toEqual({});
  });
});

describe('parseWidgetParams with a long signed value', () => {
  it('accepts at most 512 characters', () => {
    expect(onRamp({ walletAddress: 'x'.repeat(512) })).toEqual({});
    expect(onRamp({ walletAddress: 'x'.repeat(513) })).toEqual({
      walletAddress: 'is longer than 512 characters',
    });
    expect(onRamp({ ext: 'x'.repeat(5000) })).toEqual({});
  });
});
