// `tsc` checks this file, and nothing runs it. It compares the schemas of the document with the interfaces that the
// code uses, in both directions: a field that only one of them has, or that only one calls optional, is a type error.
import type * as z from 'zod/mini';
import type * as schemas from '../../src/contract/schemas.js';
import type {
  CheckoutResponse,
  CheckoutsResponse,
  CryptoCurrenciesResponse,
  FiatCurrenciesResponse,
  PolledCheckout,
  QuoteResponse,
} from '../../src/protocol/index.js';
import type { CheckoutProposal, SignedCheckout } from '../../src/react/backend/createHttpSigner.js';
import type { SyncRun } from '../../src/server/index.js';
import type { ErrorBody } from '../../src/server/internal/errorResponses.js';

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Whether two types are the same. Mutual assignability would not see a missing optional field. */
type Same<A, B> =
  (<T>() => T extends DeepReadonly<A> ? 1 : 2) extends <T>() => T extends DeepReadonly<B> ? 1 : 2
    ? true
    : false;

type Schemas = typeof schemas;
type Body<Name extends keyof Schemas> =
  Schemas[Name] extends z.core.$ZodType<infer Output> ? Output : never;

export const responses: [
  Same<Body<'fiatCurrenciesResponseSchema'>, FiatCurrenciesResponse>,
  Same<Body<'cryptoCurrenciesResponseSchema'>, CryptoCurrenciesResponse>,
  Same<Body<'quoteResponseSchema'>, QuoteResponse>,
  Same<Body<'checkoutResponseSchema'>, CheckoutResponse>,
  Same<Body<'polledCheckoutSchema'>, PolledCheckout>,
  Same<Body<'checkoutsResponseSchema'>, CheckoutsResponse>,
  Same<Body<'syncRunSchema'>, SyncRun>,
] = [true, true, true, true, true, true, true];

type Opened = Body<'openedCheckoutSchema'>;
type Continued = Body<'continuedCheckoutSchema'>;

/** The page accepts less than the handler sends: `reference` and `expiresInSeconds` are optional, `params` is any text. */
type Accepted = Omit<SignedCheckout, 'params' | 'reference' | 'expiresInSeconds'>;
type Sent = Pick<Opened, 'isListed'> & Pick<Continued, 'selection'>;

export const signatures: [
  Same<{ [Key in keyof Sent]: Sent[Key] }, Accepted>,
  Opened extends SignedCheckout ? true : false,
  Continued extends SignedCheckout ? true : false,
  Same<keyof Opened | keyof Continued, keyof SignedCheckout>,
] = [true, true, true, true];

type Proposal = Body<'checkoutProposalSchema'>;
type ParamNames<Of> = Of extends { params?: infer Params } ? keyof NonNullable<Params> : never;

/** The page always sends `params`. The names of both widgets are those of the table. */
export const proposals: [
  Proposal & { params: object } extends CheckoutProposal ? true : false,
  Same<keyof Proposal, keyof CheckoutProposal>,
  Same<Proposal['widget'], CheckoutProposal['widget']>,
  Same<ParamNames<Proposal>, keyof CheckoutProposal['params']>,
  Same<Proposal['selection'], CheckoutProposal['selection']>,
] = [true, true, true, true, true];

type ErrorSchemas = Schemas['errorSchemas'];
type ErrorOf<Code extends keyof ErrorSchemas> = z.infer<ErrorSchemas[Code]>;
type AnyError = ErrorOf<Exclude<keyof ErrorSchemas, 'ERR_ORDER_EXISTS'>>;

/** Each schema allows one code; the interface says only that it is text. */
export const errors: [
  AnyError extends ErrorBody ? true : false,
  Same<keyof AnyError, keyof ErrorBody>,
  Same<Omit<AnyError['error'], 'code'>, Omit<ErrorBody['error'], 'code'>>,
  Same<AnyError['error']['code'], Exclude<keyof Schemas['errorCodes'], 'ERR_ORDER_EXISTS'>>,
  Same<
    ErrorOf<'ERR_ORDER_EXISTS'>,
    CheckoutResponse & { error: ErrorOf<'ERR_ORDER_EXISTS'>['error'] }
  >,
] = [true, true, true, true, true];
