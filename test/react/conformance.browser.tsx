import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { createRef, type ReactElement, type Ref, StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { NftCard, NftCheckout, OnRampButton, QuotePreview, RampProvider } from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';
import { countingSigner } from '../support/counting-signer.js';
import { widgetUrl } from '../support/on-ramp-button.js';
import { answersAll, quoteBackend } from '../support/quote-backend.js';

interface Common {
  readonly ref?: Ref<never>;
  readonly className?: string;
  readonly style?: { readonly order: number };
  readonly id?: string;
  readonly title?: string;
  readonly 'data-mine'?: string;
  readonly 'aria-description'?: string;
}

/** Each component with what it cannot do without, and a word of its German texts. */
const components: readonly [string, (props: Common) => ReactElement, RegExp, string][] = [
  ['OnRampButton', (props) => <OnRampButton {...props} />, /Krypto kaufen/, 'ramp-button'],
  ['NftCheckout', (props) => <NftCheckout {...props} />, /NFT kaufen/, 'ramp-button'],
  [
    'NftCard',
    (props) => <NftCard name="Survey" price="1" currency="ETH" {...props} />,
    /Für 1.ETH kaufen/,
    'ramp-nft',
  ],
  ['QuotePreview', (props) => <QuotePreview {...props} />, /Sie zahlen/, 'ramp-quote'],
];

const { signer, asked } = countingSigner(5);
const page = (child: ReactElement, messages = {}) => (
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <RampProvider widgetUrl={widgetUrl} signer={signer} api="/api/ramp" messages={messages}>
        {child}
      </RampProvider>
    </QueryClientProvider>
  </StrictMode>
);

describe.each(components)('<%s />', (_, make, words, ownClass) => {
  it('passes ref, className, style and native attributes to its root', () => {
    quoteBackend(answersAll);
    const ref = createRef<HTMLElement>();
    const given = { ref: ref as Ref<never>, className: 'mine', style: { order: 7 }, id: 'x' };
    render(page(make({ ...given, title: 't', 'data-mine': 'm', 'aria-description': 'd' })));
    const root = ref.current as HTMLElement;
    expect(root.className).toBe(`${ownClass} mine`);
    expect(root.style.order).toBe('7');
    expect(root).toMatchObject({ id: 'x', title: 't' });
    expect(root.dataset.mine).toBe('m');
    expect(root.getAttribute('aria-description')).toBe('d');
  });

  it('speaks the texts of the provider', async () => {
    quoteBackend(answersAll);
    const { container } = render(page(make({}), german));
    await waitFor(() => expect(container.textContent).toMatch(words));
  });

  it('is quiet in the console under StrictMode, from mount to unmount', async () => {
    quoteBackend(answersAll);
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { unmount, container } = render(page(make({})));
    await waitFor(() => expect(container.querySelector(`.${ownClass}`)).not.toBeNull());
    unmount();
    expect(said.mock.calls).toEqual([]);
  });
});

/** What is listened to and waited for, on the page itself. */
function counted() {
  const listeners = new Map<string, number>();
  const count = (by: number) => (type: string) =>
    listeners.set(type, (listeners.get(type) ?? 0) + by);
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = target;
    vi.spyOn(target, 'addEventListener').mockImplementation((type, ...rest) => {
      count(1)(type);
      add.call(target, type, ...(rest as [EventListener]));
    });
    vi.spyOn(target, 'removeEventListener').mockImplementation((type, ...rest) => {
      count(-1)(type);
      remove.call(target, type, ...(rest as [EventListener]));
    });
  }
  return () => [...listeners].filter(([, balance]) => balance > 0);
}

describe('1,000 buttons that come and go', () => {
  it('leave no listener, dialog, frame or request behind, whatever they were about', async () => {
    const left = counted();
    const { rerender } = render(page(<i />));
    for (let i = 0; i < 1000; i++) {
      rerender(page(i % 2 ? <OnRampButton /> : <NftCheckout />));
      const button = screen.getByRole('button');
      // At rest, while it signs, and while it opens.
      if (i % 3) button.focus();
      if (i % 3 === 2) button.click();
      if (i % 60 === 2)
        await waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
      rerender(page(<i />));
    }
    cleanup();
    await waitFor(() => expect(left()).toEqual([]));
    expect(document.querySelectorAll('dialog, iframe, .ramp-note')).toHaveLength(0);
    expect(asked.length).toBeGreaterThan(0);
  });
});

describe('a double click, ten renders and StrictMode', () => {
  it('ask the signer once', async () => {
    asked.length = 0;
    const { rerender } = render(page(<OnRampButton amount="1" />));
    for (let i = 0; i < 10; i++) rerender(page(<OnRampButton amount="1" />));
    await userEvent.dblClick(screen.getByRole('button'));
    await waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
    expect(asked).toHaveLength(1);
  });
});
