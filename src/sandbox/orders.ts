import { RequestError } from '../server/internal/errorResponses.js';
import type { Purchase, SandboxQuote } from './catalog/pricing.js';
import type { DerivedValues } from './createDerivedValues.js';
import { createBoundedMap } from './memory.js';

/**
 * A finished order (service interface, section 2.6). Amounts are decimal strings, times are Unix seconds. All
 * three fees are in the purchased cryptocurrency, as the interface has defined it since 2022-10-18.
 */
export interface SandboxOrder {
  /** 128 bits, hexadecimal. */
  readonly orderId: string;
  /** On-ramp: `3` FINISHED. NFT: `1` FINISHED, `2` Settlement, `3` Settled (section 3). */
  readonly orderStatus: 1 | 2 | 3;
  /** The same for all orders with the same e-mail address and seed. */
  readonly userId: string;
  readonly payTime: number;
  readonly deliverTime: number;
  readonly finishTime: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrency: string;
  readonly cryptoCurrencyCode: string;
  /** The delivered amount. For an NFT, its signed price. */
  readonly cryptoCurrencyAmount: string;
  readonly cryptoCurrencyUnitPrice: string;
  /** The wallet that received the cryptocurrency. For an NFT, the partner's wallet that receives the price. */
  readonly walletAddress: string;
  /**
   * The tag of the partner's wallet for an NFT order, or `''` for a wallet without a tag. Absent in an on-ramp order.
   */
  readonly walletAddressTag?: string | undefined;
  readonly gasFee: string;
  readonly gasFeeUnit: string;
  readonly platformFee: string;
  readonly platformFeeUnit: string;
  readonly totalFee: string;
  readonly totalFeeUnit: string;
  readonly payment: string;
  /** The hash of the transaction that delivered the cryptocurrency or the NFT. An NFT is delivered on its own chain. */
  readonly txHash: string;
  /** The network of the cryptocurrency. */
  readonly network: string;
  /** The explorer's transaction URL, to which `txHash` is appended. The site does not exist. */
  readonly blockchainExplorer: string;
  /** The `ext` of the widget URL, or `''` if the URL has none. */
  readonly ext: string;
  /** The NFT that was sold (section 2.7). Absent in an on-ramp order. */
  readonly nftDetails?: readonly [SandboxNftDetails] | undefined;
}

/** The NFT that a widget URL sells, as its order returns it (service interface, section 2.7). */
export interface SandboxNftDetails {
  readonly contractAddress: string;
  readonly nftNetwork: string;
  readonly type: 'MARKET' | 'MINT';
  readonly tokenId?: string | undefined;
  readonly mintQuantity?: number | undefined;
  readonly ownerWalletAddress?: string | undefined;
  readonly transferWalletAddress: string;
  readonly merchantUniqueId?: string | undefined;
  readonly merchantOrderNo?: string | undefined;
  readonly externalCustomerId?: string | undefined;
}

/** Parses the NFT of a URL. Parameters that the NFT's `type` does not need are kept, because they are signed too. */
export function parseNftDetails(params: Readonly<Record<string, string>>): SandboxNftDetails {
  const pickGiven = (name: string) => params[name] !== undefined && { [name]: params[name] };
  return {
    contractAddress: params.contractAddress ?? '',
    nftNetwork: params.nftNetwork ?? '',
    type: params.type === 'MINT' ? 'MINT' : 'MARKET',
    ...pickGiven('tokenId'),
    ...(params.mintQuantity !== undefined && { mintQuantity: Number(params.mintQuantity) }),
    ...pickGiven('ownerWalletAddress'),
    transferWalletAddress: params.transferWalletAddress ?? '',
    ...pickGiven('merchantUniqueId'),
    ...pickGiven('merchantOrderNo'),
    ...pickGiven('externalCustomerId'),
  };
}

/** The progress of an order: paid immediately, then sent, then confirmed on the chain. */
export type OrderStep = 'paid' | 'sending' | 'finished';

/** The part of an order that the page receives. Amounts are decimal strings, times are Unix seconds. */
export interface OrderProgress {
  readonly orderId: string;
  readonly step: OrderStep;
  readonly payTime: number;
  /** Present once the order was sent. */
  readonly deliverTime?: number;
  readonly txHash?: string;
  /** Present once the order is finished. */
  readonly finishTime?: number;
  readonly fiatCurrency: string;
  readonly currencyAmount: string;
  readonly cryptoCurrencyCode: string;
  readonly cryptoCurrencyAmount: string;
  /** Absent for an NFT, and when the URL hides the wallet. */
  readonly walletAddress?: string;
}

export interface OrderTerms extends Purchase {
  readonly email: string;
  /** The wallet that receives the cryptocurrency. For an NFT, the partner's wallet that receives the price. */
  readonly walletAddress: string;
  readonly walletAddressTag?: string;
  readonly nft?: SandboxNftDetails;
}

/** The number of orders that a sandbox keeps. */
export const MAX_ORDERS = 10_000;

/** The part of a widget session that an order needs. */
type OrderingSession =
  | {
      readonly widget: 'on-ramp';
      readonly offer: { readonly ext: string; readonly walletHidden: boolean };
    }
  | {
      readonly widget: 'nft';
      /** The signature of the session's URL. The URL can be paid only once. */
      readonly signature: string;
      readonly offer: { readonly ext: string };
    };

/** The orders of one sandbox. The status of an order is computed from the clock each time the order is read. */
export interface SandboxOrders {
  /**
   * Accepts the payment and creates the order. A repeated call with the same terms returns the existing order while it
   * is in progress. An NFT URL can be paid only once, so any other order for it is rejected unless the first one has
   * failed.
   *
   * @throws RequestError 409 when the NFT URL is already paid.
   */
  place(session: OrderingSession, terms: OrderTerms, price: SandboxQuote): OrderProgress;
  find(orderId: string): OrderProgress | undefined;
  /** Returns the order that paid an NFT URL, even if another session of that URL placed it. */
  findByUrl(session: { readonly signature: string }): OrderProgress | undefined;
  /** Returns the finished orders, oldest first. */
  listFinished(): SandboxOrder[];
  /** Returns every order, oldest first, including those that are in progress or have failed. */
  listAll(): OrderOverview[];
  /** Moves an order by hand. Returns why its state does not allow that, or `undefined` if it was moved. */
  move(orderId: string, move: OrderMove): string | undefined;
}

/**
 * `finish` and `settle`: the next status immediately. `fail`: the order never finishes, so the order list never
 * contains it. `refund`: only marks the order. The interface has no refunds, so a backend never learns of one.
 */
export const orderMoves = ['finish', 'settle', 'fail', 'refund'] as const;
export type OrderMove = (typeof orderMoves)[number];

/** An order as its operator sees it. */
export interface OrderOverview {
  readonly order: SandboxOrder;
  readonly step: OrderStep | 'failed';
  readonly isRefunded: boolean;
  readonly moves: readonly OrderMove[];
}

/** An order and what later requests for it need, in a form that JSON can hold. */
export interface OrderEntry {
  /** The order's number in its sandbox, counting from 1. */
  readonly number: number;
  readonly order: SandboxOrder;
  readonly terms: string;
  readonly paidAtMs: number;
  readonly hidesWallet: boolean;
  /** The signature of an NFT's URL, which can be paid only once. */
  readonly signature?: string;
  readonly isFailed?: true;
  readonly isRefunded?: true;
}

/** Keeps the orders from one run of the sandbox to the next. */
export interface OrderJournal {
  /** The orders of earlier runs, oldest first. */
  readonly entries: readonly OrderEntry[];
  /** Saves a new order before its shopper sees it. */
  append(entry: OrderEntry): void;
}

interface OrderSettings {
  readonly now: () => number;
  readonly stepMs: number;
  readonly settleMs: number;
  readonly derived: Pick<DerivedValues, 'hex'>;
  /** @default none: the orders end with the sandbox */
  readonly journal?: OrderJournal | undefined;
}

const ALREADY_FINISHED = 'The order has already finished.';
const NOT_FINISHED = 'The order has not finished yet.';

export function createSandboxOrders({
  now,
  stepMs,
  settleMs,
  derived,
  journal,
}: OrderSettings): SandboxOrders {
  const entries = createBoundedMap<OrderEntry>(MAX_ORDERS);
  /** The ID of each session's latest order. */
  const latest = new WeakMap<OrderingSession, string>();
  /** The paid NFT orders, by the signature of their URL. */
  const nfts = createBoundedMap<OrderEntry>(MAX_ORDERS);
  const countSteps = ({ paidAtMs, isFailed }: OrderEntry) =>
    isFailed ? 0 : countIntervals(stepMs, now() - paidAtMs);

  const toProgress = (entry: OrderEntry): OrderProgress => {
    const { order, hidesWallet } = entry;
    const done = countSteps(entry);
    return {
      orderId: order.orderId,
      step: done >= 2 ? 'finished' : done === 1 ? 'sending' : 'paid',
      payTime: order.payTime,
      ...(done >= 1 && { deliverTime: order.deliverTime, txHash: order.txHash }),
      ...(done >= 2 && { finishTime: order.finishTime }),
      fiatCurrency: order.fiatCurrency,
      currencyAmount: order.currencyAmount,
      cryptoCurrencyCode: order.cryptoCurrencyCode,
      cryptoCurrencyAmount: order.cryptoCurrencyAmount,
      ...(!hidesWallet && { walletAddress: order.walletAddress }),
    };
  };
  /**
   * Returns the order with its current status. A finished NFT order is later settled with the partner, which changes
   * its status.
   */
  const toCurrentOrder = ({ order, paidAtMs }: OrderEntry): SandboxOrder => {
    if (!order.nftDetails) return { ...order };
    const settled = countIntervals(settleMs, now() - paidAtMs - 2 * stepMs);
    return { ...order, orderStatus: settled >= 2 ? 3 : settled === 1 ? 2 : 1 };
  };

  /** Returns the entry after a move, or why the order's state does not allow the move. */
  function changeEntry(entry: OrderEntry, move: OrderMove): OrderEntry | string {
    const isFinished = countSteps(entry) >= 2;
    const finishedAtMs = now() - 2 * stepMs;
    const seconds = Math.floor(now() / 1000);
    const { order, isFailed, isRefunded } = entry;
    if (isFailed) return 'The order has failed, so nothing can happen to it any more.';
    switch (move) {
      case 'finish': {
        if (isFinished) return ALREADY_FINISHED;
        const deliverTime = Math.min(order.deliverTime, seconds);
        // The order list selects orders by their finish time.
        const finished = { ...order, deliverTime, finishTime: seconds };
        return { ...entry, paidAtMs: finishedAtMs, order: finished };
      }
      case 'settle': {
        const { orderStatus } = toCurrentOrder(entry);
        if (!order.nftDetails) return 'Only an NFT order is settled.';
        if (!isFinished) return NOT_FINISHED;
        if (orderStatus === 3) return 'The order is already settled.';
        return { ...entry, paidAtMs: finishedAtMs - orderStatus * settleMs };
      }
      case 'fail':
        return isFinished ? ALREADY_FINISHED : { ...entry, isFailed: true };
      case 'refund':
        if (!isFinished) return NOT_FINISHED;
        return isRefunded
          ? 'The order is already marked as refunded.'
          : { ...entry, isRefunded: true };
    }
  }

  let lastNumber = 0;
  const addEntry = (entry: OrderEntry) => {
    lastNumber = Math.max(lastNumber, entry.number);
    entries.add(entry.order.orderId, entry);
    if (entry.signature !== undefined) nfts.add(entry.signature, entry);
  };
  for (const entry of journal?.entries ?? []) addEntry(entry);

  return {
    place(session, terms, price) {
      const nft = session.widget === 'nft';
      const latestOrder = nft
        ? nfts.get(session.signature)
        : entries.get(latest.get(session) ?? '');
      const before = latestOrder?.isFailed ? undefined : latestOrder;
      const text = JSON.stringify(terms);
      // A second click, or a retry after a lost response, must not pay twice.
      if (before?.terms === text && countSteps(before) < 2) return toProgress(before);
      if (nft && before)
        throw new RequestError(
          'ERR_REQUEST',
          'This checkout is already paid. Open a new one from the shop.',
          { status: 409 },
        );
      const paidAtMs = now();
      const { ext } = session.offer;
      const number = lastNumber + 1;
      const ids: OrderIds = {
        orderId: derived.hex(16, 'order', number),
        userId: derived.hex(8, 'user', terms.email.toLowerCase()),
        hash: derived.hex(32, 'transaction', number),
      };
      const entry: OrderEntry = {
        number,
        order: createOrder(terms, price, { ...ids, ext, paidAtMs, stepMs }),
        terms: text,
        paidAtMs,
        // The wallet of an NFT order belongs to the partner, so the page does not show it.
        hidesWallet: session.widget === 'nft' || session.offer.walletHidden,
        ...(session.widget === 'nft' && { signature: session.signature }),
      };
      journal?.append(entry);
      addEntry(entry);
      if (session.widget === 'on-ramp') latest.set(session, entry.order.orderId);
      return toProgress(entry);
    },
    find(orderId) {
      const entry = entries.get(orderId);
      return entry && toProgress(entry);
    },
    findByUrl({ signature }) {
      const entry = nfts.get(signature);
      return entry && toProgress(entry);
    },
    listFinished: () =>
      entries
        .values()
        .filter((entry) => countSteps(entry) >= 2)
        .map(toCurrentOrder),
    listAll: () =>
      entries.values().map((entry) => ({
        order: toCurrentOrder(entry),
        step: entry.isFailed ? ('failed' as const) : toProgress(entry).step,
        isRefunded: entry.isRefunded === true,
        moves: orderMoves.filter((move) => typeof changeEntry(entry, move) !== 'string'),
      })),
    move(orderId, move) {
      const entry = entries.get(orderId);
      const changed = entry ? changeEntry(entry, move) : 'The sandbox no longer has this order.';
      if (typeof changed === 'string') return changed;
      journal?.append(changed);
      addEntry(changed);
      return undefined;
    },
  };
}

const countIntervals = (everyMs: number, elapsedMs: number): number =>
  everyMs === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(elapsedMs / everyMs));

interface OrderIds {
  readonly orderId: string;
  readonly userId: string;
  /** The hash of the transaction without `0x`. */
  readonly hash: string;
}

/** What an order needs in addition to its terms and its price. */
interface OrderContext extends OrderIds {
  readonly ext: string;
  /** Milliseconds since 1970. */
  readonly paidAtMs: number;
  /** How many milliseconds pass from the payment to the delivery, and again from the delivery to the confirmation. */
  readonly stepMs: number;
}

/** Creates the order as it will be when finished. Until then, responses omit the fields that are not known yet. */
function createOrder(
  terms: OrderTerms,
  { cryptoFees, network, ...price }: SandboxQuote,
  { orderId, userId, hash, ext, paidAtMs, stepMs }: OrderContext,
): SandboxOrder {
  const { crypto, option, nft, walletAddress, walletAddressTag } = terms;
  const toSeconds = (step: number) => Math.floor((paidAtMs + step * stepMs) / 1000);
  const chain = nft?.nftNetwork ?? network.replace(/_.*/, '');
  return {
    orderId,
    orderStatus: nft ? 1 : 3,
    userId,
    payTime: toSeconds(0),
    deliverTime: toSeconds(1),
    finishTime: toSeconds(2),
    ...price,
    walletAddress,
    ...(walletAddressTag !== undefined && { walletAddressTag }),
    ...cryptoFees,
    gasFeeUnit: crypto.symbol,
    platformFeeUnit: crypto.symbol,
    totalFeeUnit: crypto.symbol,
    payment: option.name,
    txHash: nft || crypto.family === 'evm' ? `0x${hash}` : hash,
    network,
    blockchainExplorer: `https://explorer.example/${chain}/tx/`,
    ext,
    ...(nft && { nftDetails: [nft] as const }),
  };
}
