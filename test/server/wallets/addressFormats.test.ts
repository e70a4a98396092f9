import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base58, base58xrp, base64urlnopad, bech32 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletFamily } from '../../../src/server/index.js';
import {
  findFamilies,
  isHarmonyAddress,
  readAddress,
} from '../../../src/server/wallets/addressFormats.js';
import { publishedAddresses } from '../../support/server/publishedAddresses.js';

const published = Object.entries(publishedAddresses) as [WalletFamily, readonly string[]][];
const each = published.flatMap(([family, addresses]) =>
  addresses.map((address) => [family, address] as const),
);
const faultOf = (family: WalletFamily, text: string) => {
  const reading = readAddress(family, text);
  return reading.isAddress ? undefined : reading.fault;
};

/** Swaps the last two neighbours that differ. */
const swapLetters = (address: string) => address.replace(/(.)((?!\1).)(\2*)$/, '$2$1$3');

const addCheck = (...bytes: number[]) => {
  const body = Uint8Array.from(bytes);
  return concatBytes(body, sha256(sha256(body)).subarray(0, 4));
};
const zeros = (length: number): number[] => Array(length).fill(0);
const encodeShelley = (prefix: string, header: number, length: number) =>
  bech32.encode(prefix, bech32.toWords(Uint8Array.from([header, ...zeros(length - 1)])), false);
/** Writes an X-address with this flag, and the bytes of a tag, which are little-endian. */
const encodeXAddress = (flag: number, ...tag: number[]) =>
  base58xrp.encode(addCheck(0x05, 0x44, ...zeros(20), flag, ...tag, ...zeros(8 - tag.length)));
/** Writes an address of TON with its CRC-16. */
function encodeTon(workchain: number): string {
  const bytes = Uint8Array.from([0x11, workchain, ...zeros(32)]);
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return base64urlnopad.encode(concatBytes(bytes, Uint8Array.of((crc >> 8) & 255, crc & 255)));
}

describe('readAddress', () => {
  it.each(each)('accepts the published %s address %s', (family, address) => {
    expect(readAddress(family, address)).toEqual({ isAddress: true });
  });

  it.each(each)('accepts the published %s address %s in no other family', (family, address) => {
    const families = ['sui', 'aptos'].includes(family) ? ['sui', 'aptos'] : [family];
    expect(findFamilies(address)).toEqual(families);
  });

  it.each(each.filter(([family]) => !['evm', 'solana', 'sui', 'aptos'].includes(family)))(
    'finds a wrong checksum in the %s address %s with two letters swapped',
    (family, address) => {
      expect(faultOf(family, swapLetters(address))).toBe('checksum');
    },
  );

  it.each(each)('does not find the %s address %s within another text', (family, address) => {
    expect(faultOf(family, `z${address}`)).toBe('format');
    const hasPrefix = /^(?:bc1|ltc1|addr1|Ae2)/i.test(address);
    expect(faultOf(family, `${address}!`)).toBe(hasPrefix ? 'checksum' : 'format');
  });

  it.each([publishedAddresses.evm[4]?.toLowerCase(), publishedAddresses.evm[4]?.toUpperCase()])(
    'accepts %s, whose letters have one case',
    (address = '') => {
      expect(readAddress('evm', address.replace('0X', '0x'))).toEqual({ isAddress: true });
    },
  );

  it.each([
    ['cardano', encodeShelley('addr', 0x41, 32), undefined],
    ['cardano', encodeShelley('addr', 0x41, 31), 'checksum'],
    ['cardano', encodeShelley('addr', 0x01, 56), 'checksum'],
    ['cardano', encodeShelley('addr', 0x01, 29), 'checksum'],
    ['cardano', encodeShelley('addr', 0x61, 57), 'checksum'],
    ['cardano', encodeShelley('addr', 0x81, 29), 'checksum'],
    ['cardano', encodeShelley('addr', 0x60, 29), 'format'],
    ['cardano', encodeShelley('addr_test', 0x61, 29), 'format'],
    ['cardano', encodeShelley('addr_test', 0x60, 29), 'network'],
    ['litecoin', bech32.encode('tltc', [0, ...bech32.toWords(new Uint8Array(20))]), 'network'],
    ['litecoin', bech32.encode('rltc', [0, ...bech32.toWords(new Uint8Array(20))]), 'network'],
    ['dogecoin', base58.encode(addCheck(0x71, ...zeros(20))), 'network'],
    ['xrp', encodeXAddress(1, 255, 255, 255, 255), undefined],
    ['xrp', encodeXAddress(1, 0, 0, 0, 0, 1), 'format'],
    ['xrp', encodeXAddress(2), 'format'],
    ['xrp', encodeXAddress(2, 1), 'format'],
    ['xrp', `X${'0'.repeat(46)}`, 'checksum'],
    ['xrp', `X${'r'.repeat(46)}`, 'checksum'],
    ['ton', encodeTon(0), undefined],
    ['ton', encodeTon(0xff), undefined],
    ['ton', encodeTon(1), 'format'],
    ['tron', 'T', 'format'],
    ['tron', `T!${'a'.repeat(30)}`, 'format'],
  ] as const)('reads the %s text %s by the rules of its bytes', (family, text, fault) => {
    expect(faultOf(family, text)).toBe(fault);
  });

  // BIP-173 and BIP-350, "Invalid"
  it.each([
    'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2',
    'bc1rw5uspcuh',
    'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7',
    'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv',
    // Valid in BIP-173, and refused since BIP-350
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx',
    'BC1SW50QA3JX3S',
    'bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj',
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
    'bc1gmk9yu',
  ])('refuses the invalid Bech32 address %s', (address) => {
    expect(['checksum', 'format']).toContain(faultOf('bitcoin', address));
  });

  it.each([
    ['bitcoin', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
    ['bitcoin', 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy'],
    ['bitcoin', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
    ['bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
    ['bitcoin', '2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br'],
    ['xrp', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ'],
    ['ton', 'kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP'],
    ['ton', '0QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPleK'],
    ['cardano', 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz'],
  ] as const)('tells that the %s address %s is on a test network', (family, address) => {
    expect(faultOf(family, address)).toBe('network');
    expect(findFamilies(address)).toEqual([family]);
  });

  it.each([
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', '1'],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS', '14'],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A', '11747'],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc', '0'],
    ['XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi', '4294967295'],
  ])('reads the tag of the X-address %s', (address, tag) => {
    expect(readAddress('xrp', address)).toEqual({ isAddress: true, tag });
  });

  it.each([
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', '0'],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAGZFQ', '1'],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', `${2n ** 63n}`],
  ])('reads the id of the multiplexed account %s', (address, tag) => {
    expect(readAddress('stellar', address)).toEqual({ isAddress: true, tag });
  });

  it('refuses an X-address that has a tag and says that it has none', () => {
    const body = Uint8Array.from([0x05, 0x44, ...Array(20).fill(7), 0, 9, 0, 0, 0, 0, 0, 0, 0]);
    const text = base58xrp.encode(concatBytes(body, sha256(sha256(body)).subarray(0, 4)));
    expect(faultOf('xrp', text)).toBe('format');
  });

  it('refuses an address of Byron whose checksum is not an integer of four bytes', () => {
    const bytes = base58.decode(publishedAddresses.cardano.at(-1) ?? '');
    bytes[bytes.length - 5] = 0x1b;
    expect(faultOf('cardano', base58.encode(bytes))).toBe('checksum');
  });

  it('refuses an X-address with one wrong character', () => {
    expect(faultOf('xrp', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXa')).toBe('checksum');
  });

  it.each([
    // EIP-1191, chain 30
    '0x27b1FdB04752BBc536007A920D24ACB045561c26',
    '0x3599689E6292B81B2D85451025146515070129Bb',
    '0x42712D45473476B98452f434E72461577d686318',
    '0x52908400098527886E0F7030069857D2E4169ee7',
    '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD',
    '0x66F9664f97f2B50F62d13EA064982F936de76657',
    '0x8617E340b3D01Fa5f11f306f4090fd50E238070D',
  ])('names the spelling of EIP-55 for %s of Rootstock', (address) => {
    const { spelling = '' } = readAddress('evm', address) as { spelling?: string };
    expect(spelling.toLowerCase()).toBe(address.toLowerCase());
    expect(readAddress('evm', spelling)).toEqual({ isAddress: true });
  });

  it('names the spelling of EIP-55 if one letter has the wrong case', () => {
    const [right = ''] = publishedAddresses.evm.slice(4);
    expect(readAddress('evm', right.replace('5aA', '5AA'))).toEqual({
      isAddress: false,
      fault: 'case',
      spelling: right,
    });
  });

  it('names no spelling if a digit is wrong, because that spelling would be of another address', () => {
    const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec';
    expect(readAddress('evm', wrong)).toEqual({ isAddress: false, fault: 'case' });
  });

  it.each([
    ['evm', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['evm', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['evm', ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['bitcoin', 'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['litecoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['solana', ''],
    ['ton', '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e'],
    ['cardano', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw'],
    ['aptos', '0x1'],
    ['solana', 'z'.repeat(1e6)],
  ] as const)('does not take another text for an address of %s: %.60s', (family, text) => {
    expect(faultOf(family, text)).toBe('format');
  });

  it('never throws', () => {
    const families = fc.constantFrom(...published.map(([family]) => family));
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^(0x|bc1|addr1|T|r|X|G|EQ|Ae2)[\w-]{0,60}$/),
    );
    for (const [family, text] of fc.sample(fc.tuple(families, texts), 2000))
      expect(() => readAddress(family, text)).not.toThrow();
  });
});

describe('isHarmonyAddress', () => {
  it.each([
    ['one1a50tun737ulcvwy0yvve0pvu5skq0kjargvhwe', true],
    ['one1a50tun737ulcvwy0yvve0pvu5skq0kjargvhwf', false],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
    [bech32.encode('two', bech32.toWords(new Uint8Array(20))), false],
    [bech32.encode('one', bech32.toWords(new Uint8Array(21))), false],
  ])('of %s is %s', (address, expected) => {
    expect(isHarmonyAddress(address)).toBe(expected);
  });
});
