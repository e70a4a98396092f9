/**
 * Fixtures for Playwright: the sandbox, your shop, and a shopper who pays. Playwright itself is an optional peer: this
 * entry point imports only its types.
 *
 * @module
 */
import type {
  FrameLocator,
  Locator,
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  TestType,
} from '@playwright/test';
import { createConfigError } from '../protocol/errors/RampError.js';
import type { WebhookFault } from '../sandbox/faults.js';
import type { SandboxOrder } from '../sandbox/orders.js';
import type { SandboxOptions } from '../sandbox/parseSandboxOptions.js';
import { type Sandbox, startSandbox } from '../sandbox/startSandbox.js';
import { listShopVariables } from '../sandbox/variables.js';
import { matching, readOptions, requiredFunc, unchecked } from '../server/internal/options.js';
import { findFreePort } from './findFreePort.mjs';
import { waitForShop } from './shopServer.js';

export type { Sandbox, SandboxOptions, SandboxOrder, WebhookFault };

/** The argument of {@link RampFixtureOptions.startShop}. */
export interface ShopStart {
  readonly sandbox: Sandbox;
  /** A free port of this machine. The shop must listen on it. */
  readonly port: number;
  /** `http://localhost:PORT` */
  readonly url: string;
  /**
   * Environment variables for the shop's process, with the names that the examples use: `PORT`, `SHOP_ORIGIN`,
   * `RAMP_WIDGET_URL`, `VITE_RAMP_WIDGET_URL`, `RAMP_API_URL`, `RAMP_PARTNER_ID`, `RAMP_SECRET_KEY`,
   * `RAMP_API_PRIVATE_KEY`, `RAMP_WEBHOOK_PUBLIC_KEY` and `RAMP_WEBHOOK_URL`.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** A running shop: a server, or a process. */
export interface RunningShop {
  /** Stops a server. The fixture waits for the result. */
  readonly close?: (() => unknown) | undefined;
  /** Ends a process. Called only if there is no `close`. */
  readonly kill?: (() => unknown) | undefined;
}

/** Options of {@link addRampFixtures}. */
export interface RampFixtureOptions {
  /** Starts the shop once in each worker. The fixture waits until its `url` responds, for 60 seconds at most. */
  readonly startShop: (start: ShopStart) => RunningShop | Promise<RunningShop>;
  /** The path of the ramp handler. @default '/api/ramp' */
  readonly basePath?: string | undefined;
  /** Options of the sandbox. @default { stepMs: 100, settleMs: 500 } */
  readonly sandbox?: Omit<SandboxOptions, 'webhookUrl' | 'webhookFault'> | undefined;
}

/** What a shopper enters in the widget. */
export interface WidgetPayment {
  /** @default 'shopper@example.com' */
  readonly email?: string | undefined;
}

/** The fixture `ramp`: a shopper on the test's page, and the service. */
export interface RampPage {
  readonly sandbox: Sandbox;
  /**
   * Clicks the button, and waits until the widget has loaded in the page. Use it for the displays `modal` and `inline`.
   *
   * @param button - A locator, or the name of the button. @default 'Buy crypto'
   */
  openCheckout(button?: string | Locator): Promise<FrameLocator>;
  /** Pays in the open widget, and waits until it shows that the order has finished. */
  pay(payment?: WidgetPayment): Promise<void>;
  /**
   * Waits until the handler reports the checkout as paid: the shop has found the order in the order list and matched it
   * with its checkout. The requests carry the page's cookies.
   *
   * @param options - `timeoutMs` is 10,000 by default.
   */
  expectDelivered(options?: { readonly timeoutMs?: number | undefined }): Promise<void>;
  /** Loses the next webhook. The service does not resend it. */
  loseNextWebhook(): void;
  /** Gives every webhook this fault from now on. `undefined` ends it. Each test begins without a fault. */
  setWebhookFault(fault: WebhookFault | undefined): void;
  /** The finished orders of this test, oldest first. */
  orders(): SandboxOrder[];
}

/** The worker's fixture `rampShop`: the shop and the sandbox that the tests of one worker share. */
export interface RampShop {
  readonly sandbox: Sandbox;
  /** The address of the shop. */
  readonly url: string;
}

/**
 * Adds fixtures to Playwright's `test`. They start the sandbox and your shop once in each worker. `baseURL` is the
 * shop's address, and `ramp` is a shopper on the test's page.
 *
 * @throws RampError `ERR_CONFIG_INVALID` from the fixture when the shop does not respond in time.
 * @example
 * const test = addRampFixtures(base, {
 *   startShop: ({ env }) => spawn('node', ['server.js'], { env: { ...process.env, ...env } }),
 * });
 *
 * test('a shopper buys crypto', async ({ page, ramp }) => {
 *   await page.goto('/');
 *   await ramp.openCheckout();
 *   await ramp.pay();
 *   await ramp.expectDelivered();
 * });
 */
export function addRampFixtures<
  TestArgs extends PlaywrightTestArgs & PlaywrightTestOptions,
  WorkerArgs extends object,
>(
  test: TestType<TestArgs, WorkerArgs>,
  options: RampFixtureOptions,
): TestType<TestArgs & { ramp: RampPage }, WorkerArgs & { rampShop: RampShop }> {
  const { startShop, basePath, sandbox } = readOptions('addRampFixtures', options, {
    startShop: requiredFunc<RampFixtureOptions['startShop']>('your function that starts the shop'),
    basePath: matching(/^\//, "a basePath that begins with '/'", '/api/ramp'),
    sandbox: unchecked<NonNullable<RampFixtureOptions['sandbox']>>(),
  });
  // A Playwright worker runs one test at a time.
  const faults: Faults = { current: undefined, losesNext: false };
  // The types of `extend` do not see that `TestArgs` has a page.
  const base = test as unknown as TestType<PlaywrightTestArgs & PlaywrightTestOptions, object>;
  const extended = base.extend<{ ramp: RampPage }, { rampShop: RampShop }>({
    rampShop: [
      // Playwright reads the names of the fixtures from this pattern.
      // biome-ignore lint/correctness/noEmptyPattern: this fixture needs no other
      async ({}, use) => {
        const shop = await openShop({ startShop, basePath, sandbox }, faults);
        try {
          await use(shop);
        } finally {
          await shop.close();
        }
      },
      { scope: 'worker', timeout: 90_000 },
    ],
    baseURL: ({ rampShop }, use) => use(rampShop.url),
    ramp: async ({ page, rampShop }, use) => {
      Object.assign(faults, { current: undefined, losesNext: false });
      await use(createRampPage(page, rampShop, basePath, faults));
    },
  });
  return extended as unknown as ReturnType<typeof addRampFixtures<TestArgs, WorkerArgs>>;
}

interface Faults {
  current: WebhookFault | undefined;
  losesNext: boolean;
}

async function openShop(
  { startShop, basePath, sandbox: options }: Required<RampFixtureOptions>,
  faults: Faults,
): Promise<RampShop & { close(): Promise<void> }> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const webhookUrl = `${url}${basePath}/webhook`;
  const sandbox = await startSandbox({
    ...{ stepMs: 100, settleMs: 500, ...options, webhookUrl },
    webhookFault: () => {
      const { losesNext } = faults;
      faults.losesNext = false;
      return losesNext ? 'lost' : faults.current;
    },
  });
  let shop: RunningShop | undefined;
  const close = async () => {
    await (shop?.close ?? shop?.kill)?.call(shop);
    await sandbox.close();
  };
  try {
    const env = listShopVariables(sandbox, url, webhookUrl);
    shop = await startShop({ sandbox, port, url, env });
    await waitForShop(url);
    return { sandbox, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const POLL_MS = 100;

function createRampPage(
  page: Page,
  { sandbox, url }: RampShop,
  basePath: string,
  faults: Faults,
): RampPage {
  const selector = `iframe[src^="${sandbox.widgetUrl}/"]`;
  const widget = page.frameLocator(selector);
  const before = new Set(sandbox.orders().map(({ orderId }) => orderId));
  let reference = '';

  const readProgress = async (): Promise<string> => {
    const response = await page.request.get(`${url}${basePath}/checkouts/${reference}`);
    if (!response.ok()) return `status ${response.status()}`;
    const { progress } = (await response.json()) as { progress?: string };
    return `${progress}`;
  };

  return {
    sandbox,
    async openCheckout(button = 'Buy crypto') {
      const named =
        typeof button === 'string' ? page.getByRole('button', { name: button }) : button;
      await named.click();
      await widget.locator('main[data-state]').waitFor();
      const source = (await page.locator(selector).getAttribute('src')) ?? '';
      reference = new URL(source).searchParams.get('ext') ?? '';
      return widget;
    },
    async pay({ email = 'shopper@example.com' } = {}) {
      // The texts depend on the language of the page, so find the elements by their types.
      const submit = widget.locator('main form button[type="submit"]');
      await submit.click();
      await widget.locator('input[type="email"]').fill(email);
      await submit.click();
      await widget.locator('main[data-state="finished"]').waitFor();
    },
    async expectDelivered({ timeoutMs = 10_000 } = {}) {
      if (!reference)
        throw createConfigError(
          'ramp.expectDelivered()',
          'needs a checkout. Call ramp.openCheckout() first.',
        );
      const endMs = performance.now() + timeoutMs;
      for (;;) {
        const progress = await readProgress();
        if (/^(finished|settlement|settled)$/.test(progress)) return;
        if (performance.now() > endMs)
          throw new Error(
            `The shop has not delivered the order within ${timeoutMs} ms: GET ${basePath}/checkouts/${reference} returned ${progress}.`,
          );
        await page.waitForTimeout(POLL_MS);
      }
    },
    loseNextWebhook() {
      faults.losesNext = true;
    },
    setWebhookFault(fault) {
      faults.current = fault;
    },
    orders: () => sandbox.orders().filter(({ orderId }) => !before.has(orderId)),
  };
}
