interface SandboxKeys {
  readonly widgetUrl: string;
  readonly baseUrl: string;
  readonly partnerId: string;
  readonly secretKey: string;
  readonly apiPrivateKey: string;
  readonly webhookPublicKey: string;
}

export function createShopEnvironment(
  sandbox: SandboxKeys,
  url: string,
): {
  readonly PORT: string;
  readonly SHOP_ORIGIN: string;
  readonly RAMP_WIDGET_URL: string;
  readonly RAMP_API_URL: string;
  readonly RAMP_PARTNER_ID: string;
  readonly RAMP_SECRET_KEY: string;
  readonly RAMP_API_PRIVATE_KEY: string;
  readonly RAMP_WEBHOOK_PUBLIC_KEY: string;
  readonly RAMP_WEBHOOK_URL: string;
};
