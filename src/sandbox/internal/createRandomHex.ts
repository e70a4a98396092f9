/** Returns random bytes in hexadecimal, from Web Crypto, which Node.js and browsers share. */
export const createRandomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
