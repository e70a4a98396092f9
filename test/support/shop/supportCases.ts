import { DatabaseSync } from '@photostructure/sqlite';
import { createWidgetSigner } from '../../../src/server/index.js';
import { createSandboxClient } from '../sandbox/createSandboxClient.js';
import { type Demo, startDemo } from './startDemo.js';

/** What a shopper writes to the shop's support. */
export interface SupportCase {
  readonly name: string;
  readonly words: string;
  /** The part of the words that can be searched for. */
  readonly search: string;
  readonly reference: string;
}

/** The demo with five shoppers who write "I paid and got nothing". */
export interface SupportCases {
  readonly demo: Demo;
  readonly cases: readonly SupportCase[];
}

/** Starts the demo, and creates the five cases in it without a browser. */
export async function startSupportCases(): Promise<SupportCases> {
  let isWebhookLost = false;
  const demo = await startDemo({
    sandbox: { webhookFault: () => (isWebhookLost ? 'lost' : undefined) },
  });
  try {
    return { demo, cases: await createCases(demo, (isLost) => (isWebhookLost = isLost)) };
  } catch (error) {
    await demo.close();
    throw error;
  }
}

/** @param loseWebhooks - Sets whether the service's webhooks are lost. */
async function createCases(
  demo: Demo,
  loseWebhooks: (isLost: boolean) => void,
): Promise<SupportCase[]> {
  const cases: SupportCase[] = [];
  const add = (name: string, words: string, search: string, reference: string) =>
    cases.push({ name, search, reference, words: words.replace('{}', search) });

  const sent = await openCheckout(demo);
  const other = `0x${'93c7'.repeat(10)}`;
  // Sign another wallet with the reference of this checkout, so that the order differs from what the shop granted.
  const signed = createWidgetSigner(demo.sandbox).sign('on-ramp', {
    walletAddress: other,
    walletAddressLocked: '1',
    ext: sent.reference,
  });
  await pay(demo, signed.params);
  add(
    'quarantined by wallet',
    'I paid 100 dollars, and your page says that it is under review. The reference is {}.',
    sent.reference,
    sent.reference,
  );

  const failing = await openCheckout(demo);
  refuseDelivery(demo, failing.reference);
  await pay(demo, failing.params);
  add(
    'delivery that fails',
    'I paid and nothing came. My wallet in your shop is {}.',
    shorten(failing.wallet),
    failing.reference,
  );

  const lost = await openCheckout(demo);
  loseWebhooks(true);
  const orderId = await pay(demo, lost.params);
  loseWebhooks(false);
  add(
    'webhook lost',
    'I paid, and your page kept saying "Waiting for your payment". The payment page gave me the order number {}.',
    orderId,
    lost.reference,
  );

  // One account on two devices: the shopper pays on the phone and looks at the laptop, which has another checkout.
  const laptop = await openCheckout(demo);
  const phone = await openCheckout(demo, laptop.cookie);
  await pay(demo, phone.params);
  add(
    'paid on another device',
    'I paid on my phone, but my laptop still waits for the payment. The reference there is {}.',
    laptop.reference,
    laptop.reference,
  );

  const unpaid = await openCheckout(demo, undefined, { cryptoCurrency: 'BTC' });
  add(
    'not paid at all',
    'I bought Bitcoin and got nothing. My wallet is {}.',
    unpaid.wallet,
    unpaid.reference,
  );
  return cases;
}

interface OpenedCheckout {
  readonly reference: string;
  readonly params: Readonly<Record<string, string>>;
  readonly wallet: string;
  /** The session of the shopper. */
  readonly cookie: string;
}

/** What the shopper has chosen on the shop's page. */
const CHOICE = { amount: '100', defaultFiatCurrency: 'USD' };

/** Opens a checkout as the shop's page does, for a new visitor or for the shopper with this cookie. */
async function openCheckout(
  { shopUrl }: Demo,
  given?: string,
  selection: Readonly<Record<string, string>> = {},
): Promise<OpenedCheckout> {
  const cookie = given ?? (await visit(shopUrl));
  const headers = {
    Cookie: cookie,
    Origin: new URL(shopUrl).origin,
    'Content-Type': 'application/json',
  };
  const response = await fetch(`${shopUrl}api/ramp/checkouts`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ widget: 'on-ramp', params: CHOICE, selection }),
  });
  const { reference, params } = await response.json();
  await fetch(`${shopUrl}api/ramp/checkouts/${reference}/opened`, { method: 'POST', headers });
  return { reference, params, wallet: params.walletAddress, cookie };
}

/** Opens the shop as a new visitor, and returns the session's cookie. The shop signs in a new visitor by itself. */
async function visit(shopUrl: string): Promise<string> {
  const { headers } = await fetch(shopUrl);
  return headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** Pays a checkout in the hosted widget, and waits until it has finished. Returns the ID of the order. */
async function pay({ sandbox }: Demo, params: Readonly<Record<string, string>>): Promise<string> {
  const client = createSandboxClient(sandbox, Date.now);
  const { session } = await client.data(`${sandbox.widgetUrl}/home?${new URLSearchParams(params)}`);
  const choice = { fiatCurrency: 'USD', currencyAmount: '100', cryptoCurrencyCode: 'ETH' };
  await client.post('/home/quote', { session, ...choice });
  const email = 'shopper@example.com';
  const { body } = await client.post('/home/orders', { session, ...choice, email });
  const { orderId } = body.order;
  while (!sandbox.orders().some((order) => order.orderId === orderId))
    await new Promise((done) => setTimeout(done, 50));
  // The webhook of a finished order is sent within this time.
  await new Promise((done) => setTimeout(done, 500));
  return orderId;
}

/** Makes the shop fail to deliver the orders of a checkout, as it would if a system behind it failed. */
function refuseDelivery({ databaseFile }: Demo, reference: string): void {
  const database = new DatabaseSync(databaseFile);
  // Wait for the write lock, because the shop may hold it.
  database.exec('pragma busy_timeout = 10000');
  database.exec(`create trigger refuse_delivery before insert on shop_deliveries
    when new.reference = '${reference}' begin select raise(abort, 'The warehouse does not respond.'); end`);
  database.close();
}

/** Shortens a wallet as the header of the shop does. */
const shorten = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
