import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import type { ErrorBody } from '../../server/internal/errorResponses.js';
import type { AddressFamily } from '../catalog/purchaseRules.js';
import type { OrderProgress } from '../orders.js';
import { PAGE_DATA_ELEMENT, type PageData } from './pageData.js';

/** What a shopper enters in the widget. */
export interface SandboxPayment {
  /** The fiat amount, a decimal string. @default the checkout's amount, or 100 */
  readonly amount?: string | undefined;
  /** @default the checkout's currency */
  readonly fiatCurrency?: string | undefined;
  /** Such as `USDT_ERC20`. @default the checkout's currency, or the first one on the wallet's chain */
  readonly cryptoCurrency?: string | undefined;
  /** @default the checkout's wallet, or a wallet for tests */
  readonly walletAddress?: string | undefined;
  /** @default the checkout's e-mail address, or 'shopper@example.com' */
  readonly email?: string | undefined;
}

/** The shopper's wallet, if neither the shop nor the test names one. */
export const WALLET = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

/**
 * Pays in the widget as a shopper does, without a browser.
 *
 * @param send - Sends a request to the sandbox.
 * @param findRefusal - Returns why the sandbox refused the last widget URL.
 * @throws RampError `ERR_CONFIG_INVALID` if the widget refuses the URL, `ERR_PARAMS_INVALID` if it refuses the payment.
 */
export async function payInWidget(
  widgetUrl: string,
  payment: SandboxPayment,
  send: (url: string, init?: RequestInit) => Promise<Response>,
  findRefusal: () => string,
): Promise<OrderProgress> {
  const page = await send(widgetUrl);
  if (!page.ok) throw createConfigError('pay()', `was refused. ${findRefusal()}`);
  const response = await send(new URL('/home/orders', widgetUrl).href, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(createOrderBody(readPageData(await page.text()), payment)),
  });
  if (!response.ok) throw toPaymentError((await response.json()) as ErrorBody);
  const { order } = (await response.json()) as { order: OrderProgress };
  return order;
}

function readPageData(html: string): PageData {
  const [, json = ''] = html.split(`id="${PAGE_DATA_ELEMENT}">`);
  return JSON.parse(json.slice(0, json.indexOf('</script>')));
}

/** Returns the body that the widget's page sends when the shopper pays. */
function createOrderBody(page: PageData, payment: SandboxPayment): object {
  const { session } = page;
  const fiatCurrency = payment.fiatCurrency ?? page.fiat ?? '';
  const email = payment.email ?? page.email ?? 'shopper@example.com';
  if (page.widget === 'nft') return { session, fiatCurrency, email };
  const { address, families, locked, hidden } = page.wallet;
  const cryptoCurrencyCode =
    payment.cryptoCurrency ?? findCurrency(page, families ?? (hidden ? undefined : ['evm']));
  const walletAddress =
    payment.walletAddress ?? (hidden || locked ? undefined : (address ?? WALLET));
  return {
    ...{ session, fiatCurrency, email, cryptoCurrencyCode },
    currencyAmount: payment.amount ?? page.amount ?? '100',
    ...(walletAddress && { walletAddress }),
  };
}

/**
 * Returns the selected cryptocurrency if it fits the wallet, otherwise the first one that fits, as a shopper would
 * choose.
 */
function findCurrency(
  { cryptos, crypto }: Extract<PageData, { widget: 'on-ramp' }>,
  families: readonly AddressFamily[] | undefined,
): string {
  const fitting = cryptos.filter(({ family }) => !families || families.includes(family));
  return (fitting.find(({ code }) => code === crypto) ?? fitting[0] ?? cryptos[0])?.code ?? '';
}

const toPaymentError = ({ error: { message, issues } }: ErrorBody) =>
  new RampError('ERR_PARAMS_INVALID', `pay(): the widget refused the payment. ${message}`, {
    ...(issues && { issues }),
  });
