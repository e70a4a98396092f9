import { act, render, screen, waitFor } from '@testing-library/react';
import { createRef, type Ref } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutEvent,
  OnRampButton,
  type UseCheckoutResult,
  useCheckout,
} from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';
import {
  type CommonProps,
  componentCases,
  renderSection,
  wrapInPage,
} from '../support/browser/componentCases.js';
import { countingSigner } from '../support/browser/countingSigner.js';
import '../support/browser/onRampButtonPage.js';
import { quoteBackend, respondToAll } from '../support/browser/quoteBackend.js';

const { signer, proposals } = countingSigner(5);

describe.each(componentCases)('<$name />', (component) => {
  const { make, ownClass, isButton, german: words, english } = component;
  const given: CommonProps = { className: 'mine', style: { order: 7 }, id: 'x', title: 't' };

  it('passes ref, className, style, data and native attributes to its root', () => {
    quoteBackend(respondToAll);
    const ref = createRef<HTMLElement>();
    const props = { ...given, 'data-mine': 'm', 'aria-description': 'd' };
    render(wrapInPage(make({ ...props, ref: ref as Ref<never> }), { signer }));
    const root = ref.current as HTMLElement;
    expect(root.className).toBe(`${ownClass} mine`);
    expect(root.style.order).toBe('7');
    expect(root).toMatchObject({ id: 'x', title: 't' });
    expect(root.dataset.mine).toBe('m');
    expect(root.getAttribute('aria-description')).toBe('d');
  });

  it("passes all props of its root to `render`, except a button's styles", () => {
    quoteBackend(respondToAll);
    const ref = createRef<HTMLElement>();
    const props = { ...given, render: renderSection };
    render(wrapInPage(make({ ...props, ref: ref as Ref<never> }), { signer }));
    const root = ref.current as HTMLElement;
    expect(root.tagName).toBe('SECTION');
    expect(root).toMatchObject({
      id: 'x',
      title: 't',
      className: isButton ? 'mine' : `${ownClass} mine`,
    });
    expect(root.hasAttribute('data-drawn')).toBe(true);
    expect(root.childNodes.length).toBeGreaterThan(0);
  });

  it('shows the messages of the provider', async () => {
    quoteBackend(respondToAll);
    const { container } = render(wrapInPage(make({}), { signer, messages: german }));
    await waitFor(() => expect(container.textContent).toMatch(words));
  });

  it('shows its English text for a message that the page has not translated yet', async () => {
    quoteBackend(respondToAll);
    const { container, unmount } = render(
      wrapInPage(make({}), { signer, messages: { reload: '' } }),
    );
    await waitFor(() => expect(container.textContent).toMatch(english));
    await waitFor(() => expect(container.querySelector('[aria-busy=true]')).toBeNull());
    const shown = container.textContent;
    unmount();
    const messages = Object.fromEntries(Object.keys(german).map((name) => [name, undefined]));
    const missing = render(wrapInPage(make({}), { signer, messages })).container;
    await waitFor(() => expect(missing.textContent).toBe(shown));
  });

  it('logs no error under StrictMode, from mount to unmount', async () => {
    quoteBackend(respondToAll);
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { unmount, container } = render(wrapInPage(make({}), { signer }));
    await waitFor(() => expect(container.querySelector(`.${ownClass}`)).not.toBeNull());
    unmount();
    expect(printed.mock.calls).toEqual([]);
  });
});

describe('a page that calls everything twice', () => {
  it('opens one checkout, and hears of its end once', async () => {
    proposals.length = 0;
    const events: string[] = [];
    const result: { current?: UseCheckoutResult } = {};
    function Page() {
      const onEvent = ({ type }: CheckoutEvent) => events.push(type);
      result.current = useCheckout({ widget: 'on-ramp', params: { amount: '1' }, onEvent });
      return null;
    }
    render(wrapInPage(<Page />, { signer }));
    const twice = (name: 'prefetch' | 'open' | 'close') => {
      act(() => result.current?.[name]());
      act(() => result.current?.[name]());
    };
    twice('prefetch');
    twice('open');
    await waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
    twice('open');
    twice('close');
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
    twice('close');
    expect(proposals).toHaveLength(1);
    expect(events.filter((type) => type !== 'loaded')).toEqual(['opened', 'closed']);
  });
});

describe('a double click, ten renders and StrictMode', () => {
  it('call the signer once', async () => {
    proposals.length = 0;
    const page = () => wrapInPage(<OnRampButton amount="1" />, { signer });
    const { rerender } = render(page());
    for (let i = 0; i < 10; i++) rerender(page());
    await userEvent.dblClick(screen.getByRole('button'));
    await waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
    expect(proposals).toHaveLength(1);
  });
});
