import { isRampError } from '../../protocol/errors/isRampError.js';
import {
  createConfigError,
  createParamsError,
  RampError,
  type RampIssue,
} from '../../protocol/errors/RampError.js';
import { findNearestName } from '../../protocol/findNearestName.js';
import { parseSelection } from '../../protocol/handler/parseSelection.js';
import type { CheckoutSelection } from '../../protocol/handler/selection.js';
import type {
  NftParams,
  OnRampParams,
  ParamsFor,
  ProposedParams,
} from '../../protocol/widget/parseWidgetParams.js';
import { parseWidgetParams } from '../../protocol/widget/parseWidgetParams.js';
import { valueFormats } from '../../protocol/widget/valueFormats.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { trace } from '../diagnostics.js';
import { isPromise } from '../internal/options.js';
import { readJson } from '../internal/requestBody.js';
import type { Runtime } from '../internal/runtime.js';
import type { Checkout } from '../orders/store/OrderStore.js';
import type { AsyncWidgetSigner, SignExtras, WidgetSigner } from '../signing/createWidgetSigner.js';
import type { ChainTable } from '../wallets/chains.js';
import { findWalletIssues } from '../wallets/checkWallets.js';
import type { Shopper } from './shopper.js';

interface CheckoutRequestBase<User, Context> {
  /** The shopper whose checkout it is, as returned by `getShopper`. */
  readonly shopper: User;
  /** The HTTP request. The handler may already have read its body. */
  readonly request: Request;
  /** The second argument of the handler, such as the session. */
  readonly context: Context;
  /**
   * What the shopper has selected on the page, `{}` if nothing is selected. The selection is not signed, and the
   * service does not enforce it. Use it to choose among your own values, such as the user's wallets, or to refuse.
   */
  readonly selection: CheckoutSelection;
  /**
   * The stored checkout, if the shopper continues it in a new window. `proposal` and `selection` are the same as in the
   * first call. Return the same grant as in the first call, or throw to refuse. A grant with other parameters or
   * another expected amount or currency is not signed. Only these may differ: extra parameters, `merchantOrderNo` (the
   * handler keeps the first one) and `metadata` (the handler ignores the new value).
   */
  readonly continues?: Checkout | undefined;
}

/** The checkout that a page requests. `proposal` comes from the client, so never sign it unchecked. */
export type CheckoutRequest<
  User extends Shopper = Shopper,
  Context = unknown,
> = CheckoutRequestBase<User, Context> &
  (
    | { readonly widget: 'on-ramp'; readonly proposal: ProposedParams<'on-ramp'> }
    | { readonly widget: 'nft'; readonly proposal: ProposedParams<'nft'> }
  );

/** A signer that holds the key, or calls a function that signs with it. */
export type AnySigner = WidgetSigner | AsyncWidgetSigner;

/** A policy for shoppers of any type. */
export type SomePolicy<Context> = CheckoutPolicy<never, Context>;

/** What the page sent, before the two widgets are told apart. */
export type ReceivedRequest<Context> = CheckoutRequestBase<Shopper, Context> & {
  readonly widget: Widget;
  readonly proposal: ProposedParams;
};

/**
 * Parameters without `ext`, and without those of the other widget. Otherwise an incomplete NFT checkout would compile
 * as a complete on-ramp checkout. The conditional type is applied to each member of a union, so that MARKET and MINT
 * stay separate.
 */
type Granted<Params, Other> = Params extends unknown
  ? Omit<Params, 'ext'> & { readonly [N in Exclude<keyof Other, keyof Params>]?: undefined }
  : never;

/** The result of a {@link CheckoutPolicy}. To refuse a checkout, the policy throws instead. */
export interface CheckoutGrant extends SignExtras {
  /** The parameters to sign, without `ext`, which carries the checkout's reference. */
  readonly params: Granted<OnRampParams, NftParams> | Granted<NftParams, OnRampParams>;
  /**
   * The fiat amount that the order must have, a decimal string. Requires `expectedFiatCurrency`. An order with another
   * amount is quarantined, so never copy `selection.amount`, which the shopper may change in the widget.
   * `findFixedAmount` returns an amount only if it is fixed.
   */
  readonly expectedAmount?: string | undefined;
  /**
   * The ISO code of the fiat currency that the order must have. Set it with `expectedAmount`, because the shopper
   * chooses the currency, and 100 JPY is not 100 USD.
   */
  readonly expectedFiatCurrency?: string | undefined;
  /** The partner's data to store with the checkout: any JSON value. */
  readonly metadata?: unknown;
}

/**
 * Decides on one checkout, and returns the parameters to sign. Take the wallet from the user and the price
 * from the listing, never from the proposal. To refuse with a message for the shopper, throw
 * `new RampError('ERR_POLICY_REFUSED', 'This print is sold.')`; any other error becomes a 403 with a general
 * message.
 */
export type CheckoutPolicy<User extends Shopper = Shopper, Context = unknown> = (
  request: CheckoutRequest<User, Context>,
) => CheckoutGrant | Promise<CheckoutGrant>;

/** The maximum length of a proposed value. The proposal is stored with the checkout, and anyone can send one. */
const MAX_VALUE_LENGTH = 512;

/**
 * Reads the proposal `{ widget, params, selection }` of a page. Only the format is validated here; the policy decides
 * whether to grant the proposal. Unknown fields are ignored, because a page on a later release may send some.
 *
 * @throws RampError the errors of {@link readJson}, `ERR_PARAMS_INVALID` for a malformed proposal.
 */
export async function readProposal(request: Request) {
  const body = await readJson(request);
  const { widget: given, params = {}, selection = {} } = Object(body) as Record<string, unknown>;
  if (Array.isArray(body) || Object(body) !== body)
    throw createParamsError([{ param: '', message: 'must be { widget, params, selection }' }]);
  const widget = given as Widget;
  // An unknown widget is refused here.
  const proposal = parseWidgetParams(widget, params, 'proposal');
  const tooLong = Object.entries(proposal).filter(
    ([, value]) => String(value).length > MAX_VALUE_LENGTH,
  );
  if (tooLong.length > 0)
    throw createParamsError(
      tooLong.map(([param]) => ({
        param,
        message: `is longer than ${MAX_VALUE_LENGTH} characters`,
      })),
    );
  if (proposal.ext !== undefined)
    throw createParamsError([
      {
        param: 'ext',
        message:
          'carries the checkout reference and is set by the backend: put your data into the metadata that the policy returns',
      },
    ]);
  return { widget, proposal, selection: parseSelection(widget, selection) };
}

/**
 * Calls the partner's policy and validates its grant.
 *
 * @throws RampError `ERR_POLICY_REFUSED` when the policy throws, `ERR_CONFIG_INVALID` when its grant is
 * invalid, `ERR_PARAMS_INVALID` with `issues` when it grants a wallet that the service would leave out.
 */
export async function grantCheckout<Context>(
  policy: SomePolicy<Context>,
  request: ReceivedRequest<Context>,
  chains: ChainTable,
): Promise<CheckoutGrant> {
  const { widget, selection } = request;
  let grant: CheckoutGrant;
  try {
    grant = await policy(request as CheckoutRequest<never, Context>);
  } catch (cause) {
    throw isRampError(cause) && cause.code === 'ERR_POLICY_REFUSED'
      ? cause
      : new RampError('ERR_POLICY_REFUSED', 'This checkout is not allowed.', { cause });
  }
  const wrong = findGrantIssue(grant);
  if (wrong) throw createConfigError('The checkout policy', `${wrong}.`);
  const issues = findWalletIssues(widget, grant.params, selection, chains);
  if (issues.length > 0) throw createGrantError(issues, unfitWallet);
  return grant;
}

const unfitWallet = createConfigError(
  'The checkout policy',
  'granted a wallet that is not an address on the chain of the checkout. Choose it with chooseWallet(), check it with findWalletIssue() where shoppers save it, and list the codes that your service reads differently in the option chains of createRamp. A button without cryptoCurrency and defaultCurrency opens the widget with USDT_ERC20.',
);

/** Creates the error for a grant with malformed values. It carries a cause, so `onError` is called as well. */
function createGrantError(issues: readonly RampIssue[], cause: unknown): RampError {
  const { code, message } = createParamsError(issues, "The checkout policy's params were");
  return new RampError(code, message, { issues, cause });
}

function findGrantIssue(grant: CheckoutGrant): string | undefined {
  const given = [...Object.entries(Object(grant)), ...Object.entries(Object(grant?.params))];
  const [promised] = given.find(([, value]) => isPromise(value)) ?? [];
  if (promised) return `returned a ${promised} that is a Promise: await it`;
  if (Object.prototype.toString.call(grant?.params) !== '[object Object]')
    return 'returned no params: it must return { params }, with params as a plain object';
  const misspelling = findMisspelling(grant);
  if (misspelling) return misspelling;
  if ('ext' in grant.params)
    return 'set ext, which carries the checkout reference: put your data into metadata';
  if (grant.expectedAmount !== undefined && !isFiatAmount(grant.expectedAmount))
    return `returned an expectedAmount that is not ${valueFormats.fiatAmount.words}`;
  if (grant.expectedFiatCurrency !== undefined && !isFiat(grant.expectedFiatCurrency))
    return `returned an expectedFiatCurrency that is not ${valueFormats.fiat.words}`;
  if (grant.expectedAmount !== undefined && grant.expectedFiatCurrency === undefined)
    return 'returned an expectedAmount without expectedFiatCurrency: 100 JPY are not 100 USD';
  if (grant.metadata !== undefined && !isJson(grant.metadata))
    return 'returned metadata that is not JSON, such as a bigint or a function, so no database can store it';
  return undefined;
}

function findMisspelling(grant: CheckoutGrant): string | undefined {
  const known: Readonly<Record<string, boolean>> = {
    params: true,
    expectedAmount: true,
    expectedFiatCurrency: true,
    metadata: true,
    extraParams: true,
    extraSignedParams: true,
  } satisfies Record<keyof CheckoutGrant, true>;
  if ('subject' in grant)
    return 'returned a subject: the shopper is who getShopper returns, so return no subject';
  for (const name of Object.keys(grant)) {
    const nearest = known[name] ? undefined : findNearestName(name, Object.keys(known));
    if (nearest) return `returned ${name}, which is ignored. Did you mean ${nearest}?`;
  }
  return undefined;
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function isFiat(currency: unknown): boolean {
  return typeof currency === 'string' && valueFormats.fiat.pattern.test(currency);
}

function isFiatAmount(amount: unknown): boolean {
  return typeof amount === 'string' && valueFormats.fiatAmount.pattern.test(amount);
}

/**
 * Signs the parameters that a policy granted. If they lack a wallet or have a malformed value, the response lists the
 * issues, because the page may have proposed that value. The error also has a cause, so `onError` is called as well.
 *
 * @throws RampError `ERR_PARAMS_INVALID` with `issues`, and the other errors of the signer.
 */
export async function signGrant(
  { signer, runtime }: { readonly signer: AnySigner; readonly runtime: Runtime },
  widget: Widget,
  params: { readonly ext: string },
  { extraParams, extraSignedParams }: SignExtras,
): Promise<Record<string, string>> {
  try {
    const given = params as ParamsFor<typeof widget>;
    const fields = { widget, reference: params.ext };
    return await trace('partner-ramp:signature', runtime, fields, async (update) => {
      const signed = (await signer.sign(widget, given, { extraParams, extraSignedParams })).params;
      update({ outcome: 'signed' });
      return signed;
    });
  } catch (cause) {
    if (!isRampError(cause)) throw cause;
    const { code, message, issues } = cause;
    throw issues ? createGrantError(issues, cause) : new RampError(code, message, { cause });
  }
}

/** Returns the parameters without timestamp, nonce and signature, because these three are new at each signing. */
export function omitSignature(params: Record<string, string>): Record<string, string> {
  const { signature: _, timestamp: __, nonce: ___, ...terms } = params;
  return terms;
}
