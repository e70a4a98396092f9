import type { CheckoutProgress } from '../../src/protocol/handler/CheckoutResponse.js';
import { fetchBackend } from '../../src/react/backend/fetchBackend.js';
import { continueCheckout } from '../../src/react/checkout/continueCheckout.js';
import { watchCheckout } from '../../src/react/status/watch/watchCheckout.js';
import type { Item, SignedCheckout } from './journal.js';
import { fetchShop } from './network.js';
import type { Random } from './random.js';
import type { ServiceOrder, Widget } from './service.js';
import {
  API,
  createNftParams,
  createShopperHeaders,
  SHOP,
  type Shop,
  type ShopOptions,
} from './shop.js';
import { WorldProcess } from './world.js';

/** A page that watches a checkout. */
export interface Watcher {
  readonly checkout: SignedCheckout;
  readonly page: WorldProcess;
  progress: CheckoutProgress | undefined;
  /** Whether the page still watches. */
  isOpen: boolean;
}

/** The order in which the states on a page may follow each other. */
const RANK: Readonly<Record<CheckoutProgress, number>> = {
  waiting: 0,
  unconfirmed: 0.5,
  expired: 0.5,
  review: 1,
  finished: 2,
  settlement: 3,
  settled: 4,
};

const REQUEST_LIMIT_MS = 25_000;
const WRONG_WALLET = '0x0000000000000000000000000000000000000bad';

/** The shoppers, their pages, and strangers, whose orders do not belong to the shop. */
export class People {
  readonly watchers: Watcher[] = [];
  /** How many shoppers have not finished. */
  busy = 0;
  #pages = 0;

  constructor(
    readonly options: ShopOptions,
    readonly shop: Shop,
  ) {}

  start(): void {
    const { plan } = this.options;
    for (let index = 0; index < plan.people; index++) {
      this.busy++;
      void this.#act(index).finally(() => {
        this.busy--;
      });
    }
    if (plan.strangers) this.#planStrangers();
  }

  close(): void {
    for (const { page } of this.watchers) page.die();
  }

  async #act(index: number): Promise<void> {
    const { world, plan } = this.options;
    const random = world.random(`person ${index}`);
    const user = `u${index}`;
    await world.sleep(random.next() * plan.activeMs * 0.7);
    const widget = random.chance(plan.nft) ? 'nft' : 'on-ramp';
    const item: Item = {
      wallet: `0x${String(index + 1).padStart(40, '1')}`,
      amount: random.pick(['100', '99.50']),
      isBound: random.chance(0.6),
      token: `${index}`,
      orderNo: plan.sendsOrderNo && random.chance(0.7) ? `n-${index}` : undefined,
    };
    const hasTwoTabs = random.chance(0.15);
    const tabs = [await this.#open(user, widget, item)];
    if (hasTwoTabs && tabs[0]) tabs.push(await this.#open(user, widget, item));
    await Promise.all(tabs.map((tab) => tab && this.#playTab(tab, random)));
  }

  async #playTab(tab: SignedCheckout, random: Random): Promise<void> {
    const { world, plan } = this.options;
    if (random.chance(plan.watches)) this.#watch(tab, random.log(20_000, 900_000));
    const act = random.weighted([
      [2, 'leave'],
      [7, 'pay'],
      [2, 'pay late'],
      [plan.payTwice ? 4 : 0, 'pay twice'],
    ]);
    const continuing = plan.continues ? this.#continue(tab, random) : undefined;
    if (act === 'leave') return continuing;
    const lateMs = plan.intentSeconds * 1000 * (0.8 + random.next());
    await world.sleep(act === 'pay late' ? lateMs : random.log(3000, 500_000));
    const changes = tab.widget === 'nft' ? ['token'] : ['wallet', 'amount', 'currency'];
    const tampered = plan.tamper && random.chance(0.4) ? random.pick(changes) : undefined;
    this.#pay(tab, tampered);
    if (act === 'pay twice') {
      await world.sleep(random.log(1000, 600_000));
      this.#pay(tab);
    }
    await continuing;
  }

  #createPage(): WorldProcess {
    return new WorldProcess(this.options.world, `page ${++this.#pages}`, true);
  }

  /** The connection of a page to the backend, as the package uses it. */
  #connect(page: WorldProcess, { user, item }: Pick<SignedCheckout, 'user' | 'item'>) {
    const { world, plan } = this.options;
    const fetch = async (input: unknown, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('origin', SHOP);
      const { method = 'GET', body, signal } = init;
      return fetchShop(world, plan, page, this.shop.pickTarget, `${input}`, {
        method,
        headers,
        signal,
        ...(typeof body === 'string' && { body }),
      });
    };
    return {
      api: API,
      headers: createShopperHeaders(user, item),
      request: fetchBackend,
      fetch: fetch as typeof globalThis.fetch,
    };
  }

  async #open(user: string, widget: Widget, item: Item): Promise<SignedCheckout | undefined> {
    const { world, plan, journal } = this.options;
    const random = world.random(`person ${user} opens`);
    const headers = new Headers({
      origin: SHOP,
      'content-type': 'application/json',
      ...createShopperHeaders(user, item),
    });
    const body = JSON.stringify({ widget, params: {} });
    for (let tries = 0; tries < 4; tries++) {
      const limit = new AbortController();
      const timer = world.after(REQUEST_LIMIT_MS, () => limit.abort(new Error('timeout')));
      try {
        const response = await fetchShop(
          world,
          plan,
          undefined,
          this.shop.pickTarget,
          `${API}/checkouts`,
          { method: 'POST', headers, body, signal: limit.signal },
        );
        const { status } = response;
        world.tell(`${user} opens a checkout: ${status}`);
        if (status === 201) {
          const { reference, params } = await response.json();
          const { nowMs: atMs } = world;
          const checkout = { reference, params, widget, item, user, atMs, orders: [] };
          world.tell(`${user} has the checkout ${reference} (${widget})`);
          journal.signed.push(checkout);
          return checkout;
        }
        if (![403, 500, 502, 503].includes(status))
          world.violate('response-unexpected', `POST /checkouts answered ${status}`);
        if (status < 500) return undefined;
      } catch {
        world.tell(`${user} cannot reach the shop`);
      } finally {
        timer.cancel();
      }
      await world.sleep(random.log(500, 10_000));
    }
    return undefined;
  }

  #pay(checkout: SignedCheckout, tampered?: string): ServiceOrder {
    const { item, widget, reference } = checkout;
    const isCompared = widget === 'nft' || tampered === 'wallet' || item.isBound;
    const nft = widget === 'nft' ? pickNft(item) : undefined;
    const order = this.options.service.pay({
      reference,
      widget,
      walletAddress: tampered === 'wallet' ? WRONG_WALLET : item.wallet,
      nft: nft && (tampered === 'token' ? { ...nft, tokenId: '999' } : nft),
      fiat: {
        amount: tampered === 'amount' ? '1' : item.amount,
        currency: tampered === 'currency' ? 'JPY' : 'USD',
      },
      truth: { tampered: isCompared ? tampered : undefined },
    });
    checkout.orders.push(order);
    return order;
  }

  #watch(checkout: SignedCheckout, ms: number): void {
    const { world } = this.options;
    const page = this.#createPage();
    const over = new AbortController();
    const watcher: Watcher = { checkout, page, progress: undefined, isOpen: true };
    this.watchers.push(watcher);
    world.tell(`${page.name} watches ${checkout.reference}`);
    const start = () =>
      watchCheckout({
        ...this.#connect(page, checkout),
        reference: checkout.reference,
        signal: over.signal,
        onChange: ({ progress }) => {
          world.tell(`${page.name} shows ${progress}`);
          const { progress: last } = watcher;
          if (last && RANK[last] >= 1 && RANK[progress] < RANK[last])
            world.violate('page-back', `${page.name} went from ${last} to ${progress}`);
          watcher.progress = progress;
        },
        onError: (error, isLast) => {
          world.tell(`${page.name}: ${error?.code ?? 'recovered'}${isLast ? ', for good' : ''}`);
          if (isLast) watcher.isOpen = false;
        },
      });
    world.after(0, () => void start(), page);
    world.after(
      ms,
      () => {
        watcher.isOpen = false;
        over.abort();
      },
      page,
    );
    world.after(ms + 1000, () => page.die());
  }

  async #continue(tab: SignedCheckout, random: Random): Promise<void> {
    const { world } = this.options;
    for (let left = random.int(1, 3); left > 0; left--) {
      await world.sleep(random.log(2000, 1_500_000));
      const result = await this.#requestContinuation(tab);
      world.tell(`${tab.user} continues ${tab.reference}: ${result}`);
      if (result === 'signed' && random.chance(0.3)) {
        await world.sleep(random.log(2000, 100_000));
        this.#pay(tab);
      }
    }
  }

  #requestContinuation(tab: SignedCheckout): Promise<string> {
    const { world } = this.options;
    const page = this.#createPage();
    return new Promise((resolve) => {
      const run = async () => {
        const connection = this.#connect(page, tab);
        const { signal } = new AbortController();
        try {
          const result = await continueCheckout(connection, tab.reference, signal, () => {});
          resolve(typeof result === 'string' ? result : 'signed');
        } catch (error) {
          resolve(`${(error as { code?: unknown }).code}`);
        }
        page.die();
      };
      world.after(0, () => void run(), page);
    });
  }

  #planStrangers(): void {
    const { world, plan, service } = this.options;
    const random = world.random('strangers');
    const references = [undefined, 'shop-7', 'AAAAAAAAAAAAAAAAAAAAAA', 'x'.repeat(400)];
    for (let left = random.int(1, 12); left > 0; left--)
      world.after(random.next() * plan.activeMs, () =>
        service.pay({
          reference: random.pick(references),
          widget: 'on-ramp',
          walletAddress: '0xabc',
          fiat: { amount: '5', currency: 'USD' },
          truth: { isStranger: true },
        }),
      );
  }
}

/** The details that the service lists for an NFT. */
const pickNft = (item: Item) => {
  const {
    cryptoCurrency: _,
    amount: __,
    walletAddress: ___,
    walletAddressTag: ____,
    ...nft
  } = createNftParams(item);
  return nft;
};
