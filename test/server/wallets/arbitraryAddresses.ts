import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  base32nopad,
  base58,
  base58xrp,
  base64urlnopad,
  bech32,
  bech32m,
  createBase58check,
} from '@scure/base';
import fc from 'fast-check';
import type { WalletFamily } from '../../../src/server/index.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const check = createBase58check(sha256);
const of = (...values: number[]) => Uint8Array.from(values);
const base58Check = (version: number) =>
  bytes(20).map((hash) => check.encode(concatBytes(of(version), hash)));
const encodeXrp = (body: Uint8Array) =>
  base58xrp.encode(concatBytes(body, sha256(sha256(body)).subarray(0, 4)));

function segwit(prefix: string): fc.Arbitrary<string> {
  const encode = (coder: typeof bech32, version: number) => (program: Uint8Array) =>
    coder.encode(prefix, [version, ...coder.toWords(program)]);
  return fc.oneof(
    bytes(20).map(encode(bech32, 0)),
    bytes(32).map(encode(bech32, 0)),
    bytes(32).map(encode(bech32m, 1)),
  );
}

/** Writes an address in the case of EIP-55. */
function toEip55(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const spelt = [...digits].map((digit, at) =>
    Number.parseInt(hash[at] as string, 16) > 7 ? digit.toUpperCase() : digit,
  );
  return `0x${spelt.join('')}`;
}

/** CRC-16/XMODEM by long division, unlike the code under test. */
function divideCrc16(body: Uint8Array): number {
  const bits = [...body].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let rest = BigInt(`0b${bits}`) << 16n;
  for (let length = rest.toString(2).length; rest >= 1n << 16n; length = rest.toString(2).length)
    rest ^= 0x11021n << BigInt(length - 17);
  return Number(rest);
}

const withCrc16 = (body: Uint8Array, littleEndian: boolean) => {
  const crc = divideCrc16(body);
  const pair = [crc >> 8, crc & 255];
  return concatBytes(body, Uint8Array.from(littleEndian ? pair.reverse() : pair));
};

/** Valid addresses of each family on its main network. */
export const arbitraryAddresses: Readonly<Record<WalletFamily, fc.Arbitrary<string>>> = {
  evm: bytes(20).map((body) => toEip55(bytesToHex(body))),
  bitcoin: fc.oneof(base58Check(0), base58Check(5), segwit('bc')),
  litecoin: fc.oneof(base58Check(0x30), base58Check(0x32), segwit('ltc')),
  dogecoin: fc.oneof(base58Check(0x1e), base58Check(0x16)),
  tron: base58Check(0x41),
  solana: bytes(32).map((key) => base58.encode(key)),
  xrp: fc.oneof(
    bytes(20).map((account) => encodeXrp(concatBytes(of(0), account))),
    bytes(20).map((account) => encodeXrp(concatBytes(of(5, 0x44), account, new Uint8Array(9)))),
  ),
  stellar: bytes(32).map((key) => base32nopad.encode(withCrc16(concatBytes(of(0x30), key), true))),
  ton: bytes(32).map((hash) =>
    base64urlnopad.encode(withCrc16(concatBytes(of(0x11, 0), hash), false)),
  ),
  cardano: bytes(56).map((hashes) => {
    const body = concatBytes(of(0x01), hashes);
    return bech32.encode('addr', bech32.toWords(body), false);
  }),
  sui: bytes(32).map((body) => `0x${bytesToHex(body)}`),
  aptos: bytes(32).map((body) => `0x${bytesToHex(body)}`),
};
