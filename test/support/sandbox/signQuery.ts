import { createHmac } from 'node:crypto';

export const partnerId = 'e6m50fei5oNM2igr';
export const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
export const nowSeconds = 1_986_217_096;
export const wallet = '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e';

/** Appends a signature of `text` to `query`. By default `text` itself is the query. */
export function signQuery(text: string, query = text, key = secretKey): string {
  const signature = createHmac('sha256', key).update(text).digest('base64');
  return `${query}&signature=${encodeURIComponent(signature)}`;
}
