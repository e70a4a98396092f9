import { describe, expect, it } from 'vitest';
import type { SignatureExplanation } from '../../../src/sandbox/explain/explainSignature.js';
import {
  readRequestMessage,
  readWidgetMessage,
} from '../../../src/sandbox/explain/signedMessage.js';
import { listSingleMistakes } from '../../../src/sandbox/explain/textMistakes.js';
import {
  canCombine,
  requestMistakes,
  type SignerMistake,
  signRequest,
  signWidgetUrl,
  widgetMistakes,
  widgetMistakesOfCharacters,
} from '../../support/sandbox/signerMistakes.js';
import { sendWebhook, webhookMistakes } from '../../support/sandbox/webhookMistakes.js';
import { caseStep } from '../../support/server/sampleCases.js';
import { explainRequest, explainUrl, explainWebhook } from './explainMistakes.js';

interface SignedMessage {
  readonly text: string;
  /** The signature as it was sent. */
  readonly sent: string;
  readonly names: readonly string[];
}

/** What came of a pair. Only with `unexplained` a mistake was missed. */
type Outcome =
  | 'both are named'
  | 'the same as a single mistake'
  | 'other mistakes lead to the same text'
  | 'one undoes the other'
  | 'unexplained';

const toSent = (message: SignedMessage) => JSON.stringify({ ...message, names: [] });

function judge(
  pair: readonly SignerMistake<object>[],
  message: SignedMessage,
  singles: ReadonlySet<string>,
  { isRight, mistakes, signed, expected }: SignatureExplanation,
  textIds: ReadonlySet<string>,
): Outcome {
  if ((signed ?? expected).text !== message.text) return 'unexplained';
  if (isRight) return 'one undoes the other';
  const found = mistakes.map(({ id }) => id);
  const own = pair.map(({ id }) => id);
  if (`${found.toSorted()}` === `${own.toSorted()}`) return 'both are named';
  if (singles.has(toSent(message))) return 'the same as a single mistake';
  // The signature is that of this text, so whatever leads to the text is an explanation.
  const isOfText = [...found, ...own].every(
    (id) => textIds.has(id) || (own.includes(id) && found.includes(id)),
  );
  return isOfText && found.length <= 2 ? 'other mistakes lead to the same text' : 'unexplained';
}

/** Explains every pair of mistakes that a signer can make together, or a sample of them. */
function explainPairs<Mistake extends SignerMistake<object>, Message extends SignedMessage>(
  mistakes: readonly Mistake[],
  sign: (...pair: readonly Mistake[]) => Message,
  read: (message: Message) => Parameters<typeof listSingleMistakes>[0],
  explain: (message: Message) => SignatureExplanation,
) {
  const counts: Partial<Record<Outcome, number>> = {};
  const unexplained: string[] = [];
  const singles = new Set(mistakes.map((mistake) => toSent(sign(mistake))));
  const textIds = new Set(
    mistakes
      .flatMap((mistake) => listSingleMistakes(read(sign(mistake))))
      .flatMap((candidate) => candidate.mistakes.map(({ id }) => id)),
  );
  const paired = mistakes.filter(({ isSingle }) => !isSingle);
  const pairs = paired.flatMap((a, at) =>
    paired
      .slice(at + 1)
      .filter((b) => canCombine(a, b))
      .map((b) => [a, b] as const),
  );
  for (const pair of pairs.filter((_, at) => at % caseStep(149) === 0)) {
    const message = sign(...pair);
    // A text does not have the same key twice, so these two exclude each other.
    if (new Set(message.names).size < message.names.length) continue;
    if (pair.some(({ needs }) => needs && !needs.test(message.sent))) continue;
    const outcome = judge(pair, message, singles, explain(message), textIds);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (outcome === 'unexplained') unexplained.push(pair.map(({ title }) => title).join(' and '));
  }
  return { counts, unexplained };
}

describe('explainSignature of a message with two mistakes', () => {
  it.for([
    {
      name: 'widget URLs',
      explainAll: () =>
        explainPairs(
          [...widgetMistakes, ...widgetMistakesOfCharacters],
          (...pair) => signWidgetUrl(...pair.map(({ change }) => change)),
          ({ url }) => readWidgetMessage(url),
          ({ url }) => explainUrl(url),
        ),
    },
    {
      name: 'API requests',
      explainAll: () =>
        explainPairs<(typeof requestMistakes)[number], ReturnType<typeof signRequest>>(
          requestMistakes,
          (...pair) => signRequest(...pair.map(({ change }) => change)),
          (request) => readRequestMessage('api-request', request),
          explainRequest,
        ),
    },
    {
      name: 'webhooks',
      explainAll: () =>
        explainPairs(
          webhookMistakes,
          sendWebhook,
          (webhook) => readRequestMessage('webhook', webhook),
          explainWebhook,
        ),
    },
  ])('names both mistakes of $name', { timeout: 600_000 }, async ({ explainAll }, { annotate }) => {
    const { counts, unexplained } = explainAll();
    // `--reporter=verbose` prints the counts.
    await annotate(JSON.stringify(counts));
    expect(unexplained).toEqual([]);
    const { 'both are named': both = 0, ...others } = counts;
    expect(both).toBeGreaterThan(4 * Object.values(others).reduce((sum, count) => sum + count, 0));
  });
});
