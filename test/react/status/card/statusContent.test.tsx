import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { StatusView } from '../../../../src/client/status/statusView.js';
import { messages as ar } from '../../../../src/messages/ar.js';
import { messages as de } from '../../../../src/messages/de.js';
import { messages as en } from '../../../../src/messages/en.js';
import { messages as es } from '../../../../src/messages/es.js';
import { messages as fr } from '../../../../src/messages/fr.js';
import { messages as ja } from '../../../../src/messages/ja.js';
import { messages as zh } from '../../../../src/messages/zh.js';
import type { CheckoutResponse } from '../../../../src/protocol/handler/CheckoutResponse.js';
import { StatusHead } from '../../../../src/react/status/card/statusContent.js';

const languages = { ar, de, en, es, fr, ja, zh };
const paid: CheckoutResponse = { reference: 'r', widget: 'nft', progress: 'settled', orders: [] };
const head = (checkout: CheckoutResponse | undefined, messages = en) =>
  renderToStaticMarkup(
    <StatusHead view={{ checkout, messages } as unknown as StatusView} settings={{}} />,
  );

describe('<StatusHead />', () => {
  it.each(Object.entries(languages))('shows that another payment is under review: %s', (...row) => {
    const [language, messages] = row;
    const sentence = `<p class="ramp-status-hint">${messages.underReview}</p>`;
    const text = head({ ...paid, underReview: 1 }, messages);
    expect(text).toContain(messages.purchased);
    expect(text.endsWith(sentence)).toBe(true);
    const others = Object.entries(languages).filter(([name]) => name !== language);
    expect(others.map(([, { underReview }]) => underReview)).not.toContain(messages.underReview);
  });

  it.each(Object.entries(languages))('shows how the shop resolved the order: %s', (_, messages) => {
    const review: CheckoutResponse = { ...paid, progress: 'review' };
    expect(head({ ...review, resolution: 'refunded' }, messages)).toBe(
      `<p role="heading" aria-level="2" class="ramp-status-title">${messages.refunded}</p><p class="ramp-status-hint">${messages.refundedHint}</p>`,
    );
    expect(head({ ...review, resolution: 'delivered' }, messages)).toContain(
      messages.deliveredByHandHint,
    );
    expect(head({ ...review, resolution: 'closed' }, messages)).toContain(messages.closedHint);
    for (const resolution of ['refunded', 'delivered', 'closed'] as const)
      expect(head({ ...paid, resolution }, messages)).not.toContain(messages.purchased);
    const newer = { ...review, resolution: 'sent by post' } as unknown as CheckoutResponse;
    expect(head(newer, messages)).toContain(messages.review);
  });

  it.each([
    ['no count', paid],
    ['a count of 0', { ...paid, underReview: 0 }],
    ['no checkout', undefined],
  ])('shows no such hint with %s', (_, checkout) => {
    const text = head(checkout);
    expect(text).not.toContain(en.underReview);
    expect(text.match(/<p/g)).toHaveLength(2);
    expect(text).not.toMatch(/>0/);
  });
});
