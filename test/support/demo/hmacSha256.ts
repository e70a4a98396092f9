const bytes = (text: string) => new TextEncoder().encode(text);

/** HMAC-SHA-256 as plain base64, by Web Crypto: browsers have it on loopback and over HTTPS. */
export async function hmacSha256(text: string, secretKey: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secretKey), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(algorithm.name, key, bytes(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
