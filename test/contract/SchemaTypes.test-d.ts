// `tsc` checks this file, and nothing runs it. Most types of the contract are made from its schemas. It compares the
// schemas with the types that are not: what a page sends, what it accepts, and the result of a sync.
import type * as z from 'zod/mini';
import type {
  CheckoutProposal,
  SignedCheckout,
} from '../../src/client/backend/createHttpSigner.js';
import type * as schemas from '../../src/contract/schemas.js';
import type { SyncRun } from '../../src/server/index.js';

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

type Body<Name extends keyof typeof schemas> =
  (typeof schemas)[Name] extends z.core.$ZodType<infer Output> ? Output : never;

export const syncs: Same<Body<'syncRunSchema'>, SyncRun> = true;

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
