/**
 * Creates the environment variables that connect a shop to a sandbox, with the names that `server-example` reads. The
 * Node.js examples read the same names, except that those with Vite read VITE_RAMP_WIDGET_URL instead of
 * RAMP_WIDGET_URL.
 *
 * @param {Record<'widgetUrl' | 'baseUrl' | 'partnerId' | 'secretKey' | 'apiPrivateKey' | 'webhookPublicKey', string>}
 * sandbox
 * @param {string} url - The address of the shop.
 */
export function createShopEnvironment(sandbox, url) {
  const { origin, port } = new URL(url);
  return {
    PORT: port,
    SHOP_ORIGIN: origin,
    RAMP_WIDGET_URL: sandbox.widgetUrl,
    RAMP_API_URL: sandbox.baseUrl,
    RAMP_PARTNER_ID: sandbox.partnerId,
    RAMP_SECRET_KEY: sandbox.secretKey,
    RAMP_API_PRIVATE_KEY: sandbox.apiPrivateKey,
    RAMP_WEBHOOK_PUBLIC_KEY: sandbox.webhookPublicKey,
    RAMP_WEBHOOK_URL: `${origin}/api/ramp/webhook`,
  };
}
