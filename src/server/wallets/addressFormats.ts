import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { base32nopad, base58, base58xrp, base64urlnopad, bech32, bech32m } from '@scure/base';
import type { WalletFamily } from './chains.js';

/** Why a text is not an address. `'network'`: it is an address, but on a test network. */
type AddressFault = 'format' | 'checksum' | 'case' | 'network';

/** The result of reading a text as an address of one wallet family. */
export type AddressReading =
  | {
      readonly isAddress: true;
      /** The tag or memo that the address contains. */
      readonly tag?: string;
    }
  | {
      readonly isAddress: false;
      readonly fault: AddressFault;
      /** The address with its case corrected, if the case is almost certainly all that is wrong. */
      readonly spelling?: string;
    };

type ReadAddress = (text: string) => AddressReading;

const valid: AddressReading = { isAddress: true };
const is = (fault: AddressFault): AddressReading => ({ isAddress: false, fault });

/** More than the 114 characters of the longest addresses, Byron addresses. Decoding Base58 takes quadratic time. */
const MAX_LENGTH = 128;

/**
 * Reads a text as an address of a family. Every family but Solana, Sui and Aptos has a checksum, which this function
 * verifies.
 */
export const readAddress = (family: WalletFamily, text: string): AddressReading =>
  text.length > MAX_LENGTH ? is('format') : readers[family](text);

/** Returns the families in which a text is an address. An address on a test network also counts. */
export const findFamilies = (text: string): readonly WalletFamily[] =>
  (Object.keys(readers) as WalletFamily[]).filter((family) => {
    const reading = readAddress(family, text);
    return reading.isAddress || reading.fault === 'network';
  });

/**
 * Returns whether two texts spell the same account. A service may spell an address differently from the shop, for
 * example without a checksum's upper and lower case.
 */
export function isSameAccount(first: string, second: string): boolean {
  if (first === second) return true;
  const account = readAccount(first);
  return account !== undefined && account === readAccount(second);
}

/** Returns the same text for every spelling of an account that has several, and undefined for any other text. */
function readAccount(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  return readHexAccount(text) ?? readTonAccount(text) ?? readXrpAccount(text) ?? readBech32(text);
}

/** EVM, Sui and Aptos, which leave out leading zeros. */
function readHexAccount(text: string): string | undefined {
  const digits = /^0x0*([0-9a-f]{1,64})$/i.exec(text)?.[1];
  return digits && `0x${digits.toLowerCase()}`;
}

/** The raw form, or the user-friendly form without its flags. */
function readTonAccount(text: string): string | undefined {
  const [, raw, hash] = /^(0|-1):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (hash) return `ton:${raw === '0' ? '00' : 'ff'}${hash.toLowerCase()}`;
  const reading = readTon(text);
  if (!reading.isAddress && reading.fault !== 'network') return undefined;
  return `ton:${bytesToHex(base64urlnopad.decode(text).subarray(1, 34))}`;
}

/** A classic address, or an X-address without a tag. */
function readXrpAccount(text: string): string | undefined {
  if (classicXrp(text).isAddress)
    return `xrp:${bytesToHex(base58xrp.decode(text).subarray(1, 21))}`;
  const reading = readXAddress(text);
  if (!reading.isAddress || reading.tag) return undefined;
  return `xrp:${bytesToHex(base58xrp.decode(text).subarray(2, 22))}`;
}

/** Bech32 of any chain, in lower or upper case. Harmony has the accounts of EVM. */
function readBech32(text: string): string | undefined {
  const decoded =
    attempt(() => bech32.decode(text as `${string}1${string}`, false)) ??
    attempt(() => bech32m.decode(text as `${string}1${string}`, false));
  if (decoded?.prefix !== 'one') return decoded && text.toLowerCase();
  return readHexAccount(`0x${bytesToHex(bech32.fromWords(decoded.words))}`);
}

/** EIP-55: the upper and lower case of the letters is the checksum. An address in a single case has no checksum. */
function readEvm(text: string): AddressReading {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) return is('format');
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return valid;
  const spelling = `0x${applyCase(lower, lower)}`;
  if (text === spelling) return valid;
  // A wrong digit changes about half of the case, so a single wrong letter is almost certainly a matter of case.
  // Rootstock's wallets use a different case (EIP-1191), which proves that the digits are right.
  const wrong = [...text].filter((letter, at) => letter !== spelling[at]).length;
  const isRootstock = [30, 31].some((id) => digits === applyCase(lower, `${id}0x${lower}`));
  const isCaseOnly = wrong <= MAX_WRONG_CASE || isRootstock;
  return { isAddress: false, fault: 'case', ...(isCaseOnly && { spelling }) };
}

/** After one wrong digit, only 0.05 % of the addresses with the usual 15 letters have at most one in the wrong case. */
const MAX_WRONG_CASE = 1;

/** Writes hexadecimal digits in the case that the hash of `hashed` determines. */
function applyCase(lower: string, hashed: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(hashed)));
  return [...lower]
    .map((digit, at) =>
      Number.parseInt(hash[at] as string, 16) >= 8 ? digit.toUpperCase() : digit,
    )
    .join('');
}

interface Base58CheckFormat {
  readonly alphabet?: typeof base58;
  /** How an address begins. Other texts have the wrong format, not the wrong checksum. */
  readonly begins: RegExp;
  /** The first bytes of an address. */
  readonly versions: readonly number[];
  readonly testVersions?: readonly number[];
}

/** Base58Check: a version, 20 bytes, and the first four bytes of their double SHA-256. */
function base58Check(format: Base58CheckFormat): ReadAddress {
  const { alphabet = base58, begins, versions, testVersions = [] } = format;
  return (text) => {
    const bytes = attempt(() => alphabet.decode(text));
    if (bytes?.length === 25 && isDoubleHashed(bytes)) {
      const version = bytes[0] as number;
      if (versions.includes(version)) return valid;
      return is(testVersions.includes(version) ? 'network' : 'format');
    }
    return is(begins.test(text) && /^\w{20,40}$/.test(text) ? 'checksum' : 'format');
  };
}

function isDoubleHashed(bytes: Uint8Array): boolean {
  const hash = sha256(sha256(bytes.subarray(0, -4)));
  return bytes.subarray(-4).every((byte, at) => byte === hash[at]);
}

/** BIP-173 and BIP-350: Bech32 for version 0, and Bech32m for later versions of the witness program. */
function segwit(prefix: string, testPrefixes: readonly string[]): ReadAddress {
  return (text) => {
    const given = /^([a-z]{2,4})1/i.exec(text)?.[1]?.toLowerCase() ?? '';
    const isTest = testPrefixes.includes(given);
    if (given !== prefix && !isTest) return is('format');
    if (!isWitnessProgram(text)) return is('checksum');
    return isTest ? is('network') : valid;
  };
}

function isWitnessProgram(text: string): boolean {
  const decode = (coder: typeof bech32 | typeof bech32m) =>
    attempt(() => {
      const [version, ...words] = coder.decode(text as `${string}1${string}`).words;
      return { version, length: coder.fromWords(words).length };
    });
  const first = decode(bech32);
  if (first) return first.version === 0 && [20, 32].includes(first.length);
  const later = decode(bech32m);
  if (later?.version === undefined) return false;
  const { version, length } = later;
  return version >= 1 && version <= 16 && length >= 2 && length <= 40;
}

/** Reads the second format if the text does not begin like the first. */
const either =
  (first: ReadAddress, second: ReadAddress): ReadAddress =>
  (text) => {
    const reading = first(text);
    return !reading.isAddress && reading.fault === 'format' ? second(text) : reading;
  };

const classicXrp = base58Check({ alphabet: base58xrp, begins: /^r/, versions: [0] });

const X_ADDRESSES = { '0544': 'main', '0493': 'test' } as const;

/** XLS-5: an X-address contains the account and, if its flag is set, a destination tag. */
function readXAddress(text: string): AddressReading {
  if (!/^[XT]\w{40,50}$/.test(text)) return is('format');
  const bytes = attempt(() => base58xrp.decode(text));
  if (bytes?.length !== 35 || !isDoubleHashed(bytes)) return is('checksum');
  const net = X_ADDRESSES[bytesToHex(bytes.subarray(0, 2)) as keyof typeof X_ADDRESSES];
  const [flag, tag] = [bytes[22], readUint(bytes.slice(23, 31).reverse())];
  if (!net || !(flag === 0 ? tag === 0n : flag === 1 && tag < 2n ** 32n)) return is('format');
  if (net === 'test') return is('network');
  return flag === 1 ? { isAddress: true, tag: `${tag}` } : valid;
}

/** SEP-23: an account (G), or a multiplexed account (M), which contains an id that works as a memo. */
function readStellar(text: string): AddressReading {
  if (!/^(?:G[A-Z2-7]{55}|M[A-Z2-7]{68})$/.test(text)) return is('format');
  const bytes = attempt(() => base32nopad.decode(text));
  // The checksum is little-endian.
  const isRight =
    bytes && calculateCrc16(bytes.subarray(0, -2)) === readUint(bytes.slice(-2).reverse());
  if (!isRight) return is('checksum');
  if (text.startsWith('G')) return valid;
  return { isAddress: true, tag: `${readUint(bytes.subarray(33, 41))}` };
}

/** TEP-2: the user-friendly form in Base64url. The raw form has no checksum, so it is not accepted. */
function readTon(text: string): AddressReading {
  if (!/^[EUk0][Qf][\w-]{46}$/.test(text)) return is('format');
  const bytes = attempt(() => base64urlnopad.decode(text));
  if (!bytes || calculateCrc16(bytes.subarray(0, -2)) !== readUint(bytes.subarray(-2)))
    return is('checksum');
  const [flags = 0, workchain = 1] = bytes;
  const isTest = flags >= 0x80;
  if (![0x11, 0x51].includes(flags & 0x7f) || ![0, 0xff].includes(workchain)) return is('format');
  return isTest ? is('network') : valid;
}

/** CIP-19: a Shelley address in Bech32, without Bech32's limit of 90 characters. */
function readShelley(text: string): AddressReading {
  const prefix = /^(addr|addr_test)1/i.exec(text)?.[1]?.toLowerCase();
  if (!prefix) return is('format');
  const bytes = attempt(() => {
    const { words } = bech32.decode(text as `${string}1${string}`, false);
    return bech32.fromWords(words);
  });
  const [header = 0xff] = bytes ?? [];
  const [type, net] = [header >> 4, header & 15];
  // The types 0 to 3 have two hashes, 4 and 5 one hash and a pointer, 6 and 7 one hash.
  const length = bytes?.length ?? 0;
  const isComplete = type < 4 ? length === 57 : type < 6 ? length > 31 : length === 29;
  if (!bytes || type > 7 || !isComplete) return is('checksum');
  if (prefix === 'addr_test' && net === 0) return is('network');
  return prefix === 'addr' && net === 1 ? valid : is('format');
}

/** A Byron address: Base58 of CBOR, which contains the address and its CRC-32. */
function readByron(text: string): AddressReading {
  if (!/^(?:Ae2|DdzFF)/.test(text)) return is('format');
  const bytes = attempt(() => base58.decode(text)) ?? new Uint8Array();
  // An array of two items: a byte string (tag 24) whose length takes one byte, and a four-byte integer.
  const length = bytes[4] ?? 0;
  const isRight =
    bytesToHex(bytes.subarray(0, 4)) === '82d81858' &&
    bytes.length === length + 10 &&
    bytes[5 + length] === 0x1a &&
    calculateCrc32(bytes.subarray(5, 5 + length)) === readUint(bytes.subarray(6 + length));
  return isRight ? valid : is('checksum');
}

const readSolana: ReadAddress = (text) =>
  attempt(() => base58.decode(text))?.length === 32 ? valid : is('format');

/** Shorter forms are not accepted, because an EVM address would be one. */
const readHex32: ReadAddress = (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? valid : is('format'));

const readers: Readonly<Record<WalletFamily, ReadAddress>> = {
  evm: readEvm,
  bitcoin: either(
    segwit('bc', ['tb', 'bcrt']),
    base58Check({ begins: /^[13]/, versions: [0, 5], testVersions: [0x6f, 0xc4] }),
  ),
  // Litecoin once used Bitcoin's version 5, so an address that begins with 3 may be a Bitcoin address and is not
  // accepted.
  litecoin: either(
    segwit('ltc', ['tltc', 'rltc']),
    base58Check({ begins: /^[LM]/, versions: [0x30, 0x32] }),
  ),
  dogecoin: base58Check({ begins: /^[DA9]/, versions: [0x1e, 0x16], testVersions: [0x71] }),
  tron: base58Check({ begins: /^T/, versions: [0x41] }),
  solana: readSolana,
  xrp: either(classicXrp, readXAddress),
  stellar: readStellar,
  ton: readTon,
  cardano: either(readShelley, readByron),
  sui: readHex32,
  aptos: readHex32,
};

/** Harmony accepts EVM addresses, and the same 20 bytes in Bech32. */
export function isHarmonyAddress(text: string): boolean {
  const bytes = attempt(() => {
    const { prefix, words } = bech32.decode(text as `${string}1${string}`);
    return prefix === 'one' ? bech32.fromWords(words) : undefined;
  });
  return bytes?.length === 20;
}

/** Runs a decoder, and returns undefined if it throws, as it does for any malformed text. */
function attempt<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

const readUint = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes) || '0'}`);

/** CRC-16/XMODEM. */
function calculateCrc16(bytes: Uint8Array): bigint {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return BigInt(crc);
}

/** CRC-32 of ISO-HDLC, as in zlib. */
function calculateCrc32(bytes: Uint8Array): bigint {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return BigInt(~crc >>> 0);
}
