import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

// The format of src/conformance/*.json, which docs/other-languages.md documents.

const text = z.string();
const widget = z.enum(['on-ramp', 'nft']);
const shopper = z.enum(['first', 'second', 'nobody']);
const headers = z.record(text, text);

const expectation = z.strictObject({
  status: z.array(z.number()),
  /** The codes that an error response may carry. */
  code: z.optional(z.array(text)),
  /** A part of the body. A list must contain exactly these entries. */
  json: z.optional(z.record(text, z.unknown())),
  /** Lists in the body, by name, each with part of an entry that the list must contain. */
  entries: z.optional(z.record(text, z.unknown())),
  /** Amounts in the body, by path, each with the number of decimals that it must have. */
  decimals: z.optional(z.record(text, z.number())),
  absentHeaders: z.optional(z.array(text)),
  absentText: z.optional(z.array(text)),
  /** The name of a saved response whose body must be the same. */
  sameTextAs: z.optional(text),
});

/** Whether the route is optional. If it is, a response with 404 or 405 skips the case. */
const optional = z.optional(z.boolean());

const step = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('open'),
    as: shopper,
    widget,
    save: text,
    /** Proposed parameters. None of these values may be signed. */
    params: z.optional(z.record(text, text)),
    /** Additional fields of the body. */
    body: z.optional(z.record(text, z.unknown())),
    mayRefuse: z.optional(z.boolean()),
  }),
  z.strictObject({
    do: z.literal('request'),
    method: z.enum(['GET', 'POST']),
    path: text,
    as: shopper,
    /**
     * The `Origin` header; empty for none. By default, a POST sends the origin of the shop's pages, and a GET sends
     * none.
     */
    origin: z.optional(text),
    headers: z.optional(headers),
    body: z.optional(z.record(text, z.unknown())),
    /** The exact text to send in place of `body`. */
    text: z.optional(text),
    /** The name of a saved response, whose ETag the request sends in `If-None-Match`. */
    unchangedSince: z.optional(text),
    save: z.optional(text),
    optional,
    expect: expectation,
  }),
  z.strictObject({
    do: z.literal('continue'),
    checkout: text,
    /** The name under which to save the checkout with its new signature. */
    save: text,
    optional,
  }),
  z.strictObject({
    do: z.literal('pay'),
    checkout: text,
    /** Parameters that replace the backend's, signed with the sandbox's keys. */
    signed: z.optional(z.record(text, text)),
    /** The fault that the sandbox injects into the webhook. */
    webhook: z.optional(z.enum(['old-timestamp'])),
  }),
  z.strictObject({ do: z.literal('otherOrders'), count: z.number() }),
  z.strictObject({
    do: z.literal('webhook'),
    of: text,
    /** Headers that replace the service's own. An empty value removes the header. */
    headers: z.optional(headers),
    query: z.optional(text),
    /** The name of another checkout. The webhook's body then claims that this other checkout is paid. */
    bodyOf: z.optional(text),
    expect: expectation,
  }),
  z.strictObject({
    do: z.literal('replay'),
    of: text,
    times: z.number(),
    everyMs: z.number(),
    /** How many extra reads of the order list the replays may cause. */
    maxReads: z.number(),
  }),
  z.strictObject({
    do: z.literal('wait'),
    checkout: text,
    until: z.array(text),
    never: z.optional(z.array(text)),
  }),
  z.strictObject({ do: z.literal('outage'), on: z.boolean() }),
  z.strictObject({ do: z.literal('pause'), ms: z.number() }),
]);

const conformanceCase = z.strictObject({
  id: text,
  /** What a correct backend does, as the rest of the sentence "It …". */
  title: text,
  /** What to do if the backend does not do this. */
  advice: text,
  needs: z.optional(z.array(z.enum(['nft', 'two shoppers', 'cookies', 'locked wallet']))),
  /** The cases that must pass first, because this case proves nothing otherwise. */
  after: z.optional(z.array(text)),
  /** Whether the run ends if this case fails. */
  stops: z.optional(z.boolean()),
  steps: z.array(step),
});

const caseFile = z.strictObject({ subject: text, cases: z.array(conformanceCase) });

type ConformanceCase = z.infer<typeof conformanceCase>;
export type Step = z.infer<typeof step>;
export type Expectation = z.infer<typeof expectation>;
export type Widget = z.infer<typeof widget>;
export type Shopper = z.infer<typeof shopper>;
export type Need = NonNullable<ConformanceCase['needs']>[number];

/** The case files, in the order in which they run. */
export const caseFiles = [
  'checkouts',
  'status',
  'orders',
  'webhooks',
  'polls',
  'continue',
  'prices',
] as const;

/** The folder of the case files, which has the same relative path in `src` and in `dist`. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '../../conformance');

export interface ListedCase extends ConformanceCase {
  readonly subject: string;
}

/** Reads all cases, in the order in which they run. */
export function readCases(): ListedCase[] {
  return caseFiles.flatMap((name) => {
    const { subject, cases } = z.parse(
      caseFile,
      JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')),
    );
    return cases.map((each) => ({ subject, ...each }));
  });
}
