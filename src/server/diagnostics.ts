import type { TracingChannel } from 'node:diagnostics_channel';
import { isRampError } from '../protocol/errors/isRampError.js';
import type { Widget } from '../protocol/widget/widgetParameters.js';
import type { Runtime } from './internal/runtime.js';
import type { ReviewReason } from './orders/outcomes.js';
import type { MatchStatus, OrderRecord, QuarantineReason } from './orders/store/OrderRecord.js';
import type { WebhookReason } from './webhooks/WebhookError.js';

/** The fields that every tracing channel adds when its operation ends. */
interface Ended<Outcome extends string> {
  /** How the operation ended. If it `failed`, `error` holds the code. */
  readonly outcome?: Outcome | 'failed' | undefined;
  /** How long the operation took, in milliseconds. */
  readonly durationMs?: number | undefined;
  /** Set by the channel if the operation failed. It holds only the error's code, which docs/errors.md explains. */
  readonly error?: { readonly code: string } | undefined;
}

/** An order in a state that was recorded or is being delivered. */
export interface OrderMessage {
  /** Identifies the order and its state. */
  readonly key: string;
  readonly orderId: string;
  readonly widget: Widget;
  readonly state: OrderRecord['order']['state'];
  readonly matchStatus: MatchStatus;
  /** The order's checkout. Absent if the order is unmatched. */
  readonly reference?: string | undefined;
  /** Why the order is quarantined. */
  readonly reason?: QuarantineReason | undefined;
  /** True if an earlier order matched the same checkout, so the shopper may have paid twice. */
  readonly isLaterOrder?: true | undefined;
}

/**
 * The messages that this package publishes on `node:diagnostics_channel`, by channel name. All channels are tracing
 * channels, except `partner-ramp:order-change`. A tracing channel publishes the same object at the start and at the end
 * of an operation, with more fields at the end. No message contains a wallet, a subject, a key, a signature or a body.
 * docs/observability.md describes when each channel publishes.
 *
 * @example
 * const { tracingChannel } = process.getBuiltinModule('node:diagnostics_channel');
 * tracingChannel('partner-ramp:sync').asyncEnd.subscribe((message) => {
 *   const { outcome, error } = message as DiagnosticsMessages['partner-ramp:sync'];
 *   if (outcome === 'failed') console.warn('The orders were not read:', error?.code);
 * });
 */
export interface DiagnosticsMessages {
  /** `POST /checkouts` and `POST /checkouts/:reference/continue`, after the check of the origin. */
  readonly 'partner-ramp:checkout': Ended<'signed' | 'paid'> & {
    /** Whether the request continues an earlier checkout. */
    readonly continues: boolean;
    /** Absent until it is known. */
    readonly widget?: Widget | undefined;
    /** Absent until the checkout is signed or found. */
    readonly reference?: string | undefined;
  };
  /** The signing of one widget URL, a step in opening or continuing a checkout. */
  readonly 'partner-ramp:signature': Ended<'signed'> & {
    readonly widget: Widget;
    readonly reference: string;
  };
  /** `GET /quote` with a valid query. `stale`: the service is down, and an earlier price was returned. */
  readonly 'partner-ramp:quote': Ended<'fetched' | 'cached' | 'stale'> & {
    readonly widget: Widget;
  };
  /** `POST /webhook`, including the sync if the response waits for it. */
  readonly 'partner-ramp:webhook': Ended<'accepted' | 'replay'> & {
    /** The checkout that the webhook names. The name may be unsigned, so treat it as a hint. */
    readonly reference?: string | undefined;
    /** Why the webhook was not verified. */
    readonly reason?: WebhookReason | undefined;
  };
  /**
   * A sync of the order list, with its deliveries. `busy`: another instance is syncing, or has just done so. `stopped`:
   * `ramp.stop()` aborted it, or its time ran out before the whole list was read, so the next one continues.
   */
  readonly 'partner-ramp:sync': Ended<'synced' | 'busy' | 'stopped'> & {
    /** The order counts that `ramp.sync()` returns. Set if the outcome is `synced`, or the time ran out. */
    readonly listed?: number | undefined;
    readonly recorded?: number | undefined;
    readonly malformed?: number | undefined;
  };
  /**
   * The handling of an order change by `deliver` or `review`. `skipped`: neither is called, because the order was
   * delivered, reviewed or resolved before, or has not reached `deliverAt` yet.
   */
  readonly 'partner-ramp:delivery': Ended<'delivered' | 'reviewed' | 'skipped'> &
    OrderMessage & {
      /** 1 for the first attempt with this key. */
      readonly attempt: number;
      /** Why the order was reviewed. */
      readonly reviewReason?: ReviewReason | undefined;
    };
  /** A new order state, published once one of this package's stores has committed it. */
  readonly 'partner-ramp:order-change': OrderMessage;
}

type TracedName = Exclude<keyof DiagnosticsMessages, 'partner-ramp:order-change'>;

type Message<Name extends TracedName> = DiagnosticsMessages[Name];

/** The message fields that an operation sets itself. */
type Fields<Name extends TracedName> = Partial<Omit<Message<Name>, 'durationMs' | 'error'>>;

/** Sets fields in a running operation's message. */
export type Update<Name extends TracedName> = (fields: Fields<Name>) => void;

// Do not import the module: a runtime may lack it, and bundlers for such a runtime fail at the import.
const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel') as
  | typeof import('node:diagnostics_channel')
  | undefined;

const createChannel = (name: TracedName) => diagnostics?.tracingChannel?.<object, object>(name);

const channels = {
  'partner-ramp:checkout': createChannel('partner-ramp:checkout'),
  'partner-ramp:signature': createChannel('partner-ramp:signature'),
  'partner-ramp:quote': createChannel('partner-ramp:quote'),
  'partner-ramp:webhook': createChannel('partner-ramp:webhook'),
  'partner-ramp:sync': createChannel('partner-ramp:sync'),
  'partner-ramp:delivery': createChannel('partner-ramp:delivery'),
} satisfies Record<TracedName, unknown>;

const orderChanges = diagnostics?.channel('partner-ramp:order-change');

type Channel = TracingChannel<object, object>;

/** Returns the channel if anyone listens to it. */
function findActive(name: TracedName): Channel | undefined {
  const channel = channels[name];
  if (!channel) return undefined;
  // Some runtimes have tracing channels without `hasSubscribers`.
  const isActive =
    channel.hasSubscribers ??
    [channel.start, channel.end, channel.asyncStart, channel.asyncEnd, channel.error].some(
      (one) => one.hasSubscribers,
    );
  return isActive ? channel : undefined;
}

const ignore = () => {};

/**
 * Runs an operation, and publishes its start and end on a channel. Without subscribers it only calls `work`.
 *
 * A tracing channel publishes what the operation returns or throws, which may contain a wallet or a signature. So the
 * channel runs a wrapper that returns nothing and throws only a code.
 */
export function trace<Name extends TracedName, Result>(
  name: Name,
  runtime: Pick<Runtime, 'monotonic'>,
  fields: Message<Name>,
  work: (update: Update<Name>) => Promise<Result>,
): Promise<Result> {
  const channel = findActive(name);
  if (!channel) return work(ignore);
  const operation = createOperation<Name, Result>(runtime, fields);
  const traced = channel.tracePromise(async () => {
    try {
      operation.succeed(await work(operation.update));
    } catch (error) {
      throw operation.fail(error);
    }
  }, operation.message);
  return traced.then(operation.getResult, operation.getResult);
}

/** Keeps the result of an operation apart from its message. */
function createOperation<Name extends TracedName, Result>(
  { monotonic }: Pick<Runtime, 'monotonic'>,
  fields: Message<Name>,
) {
  const message: Record<string, unknown> = { ...fields };
  const begunMs = monotonic();
  let getResult: () => Result;
  const end = (get: () => Result) => {
    getResult = get;
    message.durationMs = monotonic() - begunMs;
  };
  return {
    message,
    update: (changed: Fields<Name>) => void Object.assign(message, changed),
    succeed: (result: Result) => end(() => result),
    /** Returns what the channel publishes as the error. */
    fail(error: unknown) {
      end(() => {
        throw error;
      });
      message.outcome ??= 'failed';
      return { code: toCode(error) };
    },
    getResult: () => getResult(),
  };
}

/**
 * Returns the code of an error, or `ERR_INTERNAL` for a foreign one, because an error from the partner's code may carry
 * any text as its `code`.
 */
const toCode = (error: unknown): string =>
  isRampError(error) && /^ERR_[A-Z_]{1,40}$/.test(error.code) ? error.code : 'ERR_INTERNAL';

/** Publishes orders whose new state a store has committed. Without subscribers, it never calls `describe`. */
export function publishOrders<Order>(
  orders: readonly Order[],
  describe: (order: Order) => OrderMessage,
): void {
  if (orderChanges?.hasSubscribers)
    for (const order of orders) orderChanges.publish(describe(order));
}
