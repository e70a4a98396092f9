import { act, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type Checkout,
  type CheckoutCallbacks,
  type CheckoutEvent,
  NftCheckout,
  RampError,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

/** Callbacks that write down what they are told, in order. */
function listener() {
  const told: [string, unknown][] = [];
  const tell = (name: string) => (what: unknown) => void told.push([name, what]);
  const callbacks: Required<CheckoutCallbacks> & { onEvent: (event: CheckoutEvent) => void } = {
    onOpen: tell('onOpen'),
    onLoad: tell('onLoad'),
    onClose: tell('onClose'),
    onBlocked: tell('onBlocked'),
    onError: tell('onError'),
    onEvent: tell('onEvent'),
  };
  return { told, callbacks, names: () => told.map(([name]) => name) };
}

describe('The events of a checkout', () => {
  it('tell of opening, loading and closing: each to its callback, then to onEvent', async () => {
    const { told, callbacks, names } = listener();
    const { signer } = countingSigner();
    renderButton({ signer, ...callbacks });
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(names()).toEqual(['onOpen', 'onEvent', 'onLoad', 'onEvent']));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(names().slice(4)).toEqual(['onClose', 'onEvent']));
    const reference = expect.stringMatching(/^ref-\d+$/);
    const of = (type: string) => ({ type, widget: 'on-ramp', display: 'modal', reference });
    expect(told.map(([, event]) => event)).toEqual(
      ['opened', 'opened', 'loaded', 'loaded', 'closed', 'closed'].map(of),
    );
  });

  it('reach the provider with the widget they are of', async () => {
    const { told, callbacks } = listener();
    const { signer } = countingSigner();
    render(
      <RampProvider widgetUrl={widgetUrl} signer={signer} onEvent={callbacks.onEvent}>
        <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={1} />
      </RampProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Buy NFT' }));
    await waitForDialog();
    expect(told[0]).toEqual([
      'onEvent',
      expect.objectContaining({ type: 'opened', widget: 'nft' }),
    ]);
  });

  it('tell of a blocked window once, and of its link when it is used', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    const { told, callbacks, names } = listener();
    const { signer } = countingSigner();
    renderButton({ signer, display: 'window', ...callbacks });
    act(() => button().click());
    const link = await screen.findByRole('link');
    expect(names()).toEqual(['onError', 'onBlocked', 'onEvent']);
    expect(told[1]?.[1]).toMatchObject({ type: 'blocked', display: 'window' });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    await waitFor(() => expect(names().slice(3)).toEqual(['onOpen', 'onEvent']));
  });

  it('tell of a failure with its error', async () => {
    const { told, callbacks, names } = listener();
    const refusal = new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    renderButton({ signer: () => Promise.reject(refusal), ...callbacks });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(names()).toEqual(['onError', 'onEvent']);
    expect(told[0]?.[1]).toBe(refusal);
    expect(told[1]?.[1]).toEqual({
      type: 'failed',
      widget: 'on-ramp',
      display: 'modal',
      reference: undefined,
      error: refusal,
    });
  });

  it('say nothing of a signature that failed before anyone clicked', async () => {
    const { callbacks, names } = listener();
    const signer = vi.fn(() => Promise.reject(new Error('no')));
    renderButton({ signer, ...callbacks });
    await userEvent.hover(button());
    await waitFor(() => expect(signer).toHaveBeenCalled());
    await new Promise((done) => setTimeout(done, 50));
    expect(names()).toEqual([]);
  });

  it('are heard by the other callbacks though one of them fails', async () => {
    const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
    const { callbacks, names } = listener();
    const fault = new Error('the page');
    const { signer } = countingSigner();
    renderButton({
      signer,
      ...callbacks,
      onOpen: () => {
        throw fault;
      },
    });
    await userEvent.click(button());
    await waitForDialog();
    expect(reported).toHaveBeenCalledWith(fault);
    expect(names()[0]).toBe('onEvent');
  });

  it('tell of the end when the page takes the button away', async () => {
    const { callbacks, names } = listener();
    const { signer } = countingSigner();
    const { unmount } = renderButton({ signer, ...callbacks });
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(names()).toContain('onLoad'));
    unmount();
    expect(dialog()).toBeNull();
    // It is no longer shown, which is all that "closed" means.
    expect(names().slice(4)).toEqual(['onClose', 'onEvent']);
  });

  it.each(['modal', 'inline'] as const)(
    'tell of the end when the page takes away what a checkout shown %s stands in',
    async (display) => {
      const { callbacks, names } = listener();
      renderButton({ display, ...callbacks });
      await userEvent.click(button());
      await waitFor(() => expect(names()).toContain('onLoad'));
      document.querySelector('.ramp-dialog, .ramp-inline')?.remove();
      await waitFor(() => expect(names().slice(4)).toEqual(['onClose', 'onEvent']));
      expect(button().dataset.state).toBe('idle');
      expect(document.body.style.overflow).toBe('');
    },
  );

  it('are told one after the other, though a callback closes or takes the button away', async () => {
    const { callbacks, names } = listener();
    let page: Checkout | undefined;
    function Page(props: CheckoutCallbacks) {
      page = useCheckout({ widget: 'on-ramp', widgetUrl, ...callbacks, ...props });
      return null;
    }
    const onOpen = () => {
      callbacks.onOpen?.({} as never);
      page?.close();
    };
    const { rerender, unmount } = render(<Page onOpen={onOpen} />);
    act(() => void page?.open());
    await waitFor(() => expect(names()).toContain('onClose'));
    expect(names()).toEqual(['onOpen', 'onEvent', 'onClose', 'onEvent']);
    expect(page?.status).toBe('idle');
    rerender(<Page onOpen={unmount} />);
    act(() => void page?.open());
    await waitFor(() => expect(names().slice(4)).toEqual(['onEvent', 'onClose', 'onEvent']));
    expect(dialog()).toBeNull();
  });

  it('are told apart by their type', () => {
    const error = (event: CheckoutEvent) => event.type === 'failed' && event.error;
    expectTypeOf(error).returns.toEqualTypeOf<false | RampError>();
    expectTypeOf<CheckoutEvent['type']>().toEqualTypeOf<
      'opened' | 'loaded' | 'closed' | 'blocked' | 'failed'
    >();
  });
});
