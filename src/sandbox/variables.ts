import type { Sandbox } from './startSandbox.js';

/** The addresses and keys of a sandbox that a backend needs. */
type ServiceAccess = Pick<
  Sandbox,
  'widgetUrl' | 'baseUrl' | 'partnerId' | 'secretKey' | 'apiPrivateKey' | 'webhookPublicKey'
>;

/**
 * Lists the environment variables that connect a backend to a sandbox, with the names that the examples read.
 *
 * @param webhookUrl - The webhook's address, which the backend needs to verify webhooks.
 */
export const listVariables = (sandbox: ServiceAccess, webhookUrl: string | undefined) => ({
  RAMP_WIDGET_URL: sandbox.widgetUrl,
  // Vite passes only names with this prefix to the page.
  VITE_RAMP_WIDGET_URL: sandbox.widgetUrl,
  RAMP_API_URL: sandbox.baseUrl,
  RAMP_PARTNER_ID: sandbox.partnerId,
  RAMP_SECRET_KEY: sandbox.secretKey,
  RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
  RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
  ...(webhookUrl !== undefined && { RAMP_WEBHOOK_URL: webhookUrl }),
});

/**
 * Lists the environment variables of a whole shop: those of `listVariables`, and the shop's address.
 *
 * @param webhookUrl - By default, the webhook route of a handler at the shop's `/api/ramp`.
 */
export function listShopVariables(
  sandbox: ServiceAccess,
  shopUrl: string | URL,
  webhookUrl = new URL('/api/ramp/webhook', shopUrl).href,
) {
  const { origin, port } = new URL(shopUrl);
  return {
    PORT: port || '80',
    SHOP_ORIGIN: origin,
    ...listVariables(sandbox, webhookUrl),
    RAMP_WEBHOOK_URL: webhookUrl,
  };
}
