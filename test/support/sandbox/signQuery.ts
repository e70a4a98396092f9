import { createHmac } from 'node:crypto';

export const partnerId = 'e6m50fei5oNM2igr';
export const secretKey = 'sTcm4FwSWzQiUBEn0GbG5UaEB5uAPP9D';
export const nowSeconds = 1_986_217_096;
export const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

export function signQuery(text: string, query = text, key = secretKey): string {
  const signature = createHmac('sha256', key).update(text).digest('base64');
  return `${query}&signature=${encodeURIComponent(signature)}`;
}
