const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns the HMAC-SHA-256 in base64. Needs Web Crypto, so in browsers it works only on loopback and over HTTPS. */
export async function hmacSha256(text: string, secretKey: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secretKey), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(algorithm.name, key, bytes(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
