import { act, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  type CheckoutCallbacks,
  type CheckoutEvent,
  NftCheckout,
  RampError,
  RampProvider,
  type UseCheckoutResult,
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
import { openLink } from '../../support/browser/openLink.js';

/** Creates callbacks that record their calls in order. */
function listener() {
  const calls: [string, unknown][] = [];
  const record = (name: string) => (event: unknown) => void calls.push([name, event]);
  const callbacks: Required<CheckoutCallbacks> & { onEvent: (event: CheckoutEvent) => void } = {
    onOpen: record('onOpen'),
    onLoad: record('onLoad'),
    onClose: record('onClose'),
    onBlocked: record('onBlocked'),
    onError: record('onError'),
    onEvent: record('onEvent'),
  };
  return { calls, callbacks, names: () => calls.map(([name]) => name) };
}

describe('checkout events', () => {
  it('report opening, loading and closing, each to its callback and then to onEvent', async () => {
    const { calls, callbacks, names } = listener();
    const { signer } = countingSigner();
    renderButton({ signer, ...callbacks });
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(names()).toEqual(['onOpen', 'onEvent', 'onLoad', 'onEvent']));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(names().slice(4)).toEqual(['onClose', 'onEvent']));
    const reference = expect.stringMatching(/^ref-\d+$/);
    const of = (type: string) => ({ type, widget: 'on-ramp', display: 'modal', reference });
    expect(calls.map(([, event]) => event)).toEqual(
      ['opened', 'opened', 'loaded', 'loaded', 'closed', 'closed'].map(of),
    );
  });

  it('reach the provider with the name of the widget', async () => {
    const { calls, callbacks } = listener();
    const { signer } = countingSigner();
    render(
      <RampProvider widgetUrl={widgetUrl} signer={signer} onEvent={callbacks.onEvent}>
        <NftCheckout merchantUniqueId="print-7" type="MINT" mintQuantity={1} />
      </RampProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Buy NFT' }));
    await waitForDialog();
    expect(calls[0]).toEqual([
      'onEvent',
      expect.objectContaining({ type: 'opened', widget: 'nft' }),
    ]);
  });

  it('report a blocked window once, and its link when it is used', async () => {
    vi.spyOn(window, 'open').mockReturnValue(null);
    const { calls, callbacks, names } = listener();
    const { signer } = countingSigner();
    renderButton({ signer, display: 'window', ...callbacks });
    act(() => button().click());
    const link = await screen.findByRole('link');
    expect(names()).toEqual(['onError', 'onBlocked', 'onEvent']);
    expect(calls[1]?.[1]).toMatchObject({ type: 'blocked', display: 'window' });
    await openLink(link);
    await waitFor(() => expect(names().slice(3)).toEqual(['onOpen', 'onEvent']));
  });

  it('report a failure with its error', async () => {
    const { calls, callbacks, names } = listener();
    const refusal = new RampError('ERR_POLICY_REFUSED', 'Sign in to buy.');
    renderButton({ signer: () => Promise.reject(refusal), ...callbacks });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(names()).toEqual(['onError', 'onEvent']);
    expect(calls[0]?.[1]).toBe(refusal);
    expect(calls[1]?.[1]).toEqual({
      type: 'failed',
      widget: 'on-ramp',
      display: 'modal',
      reference: undefined,
      error: refusal,
    });
  });

  it('do not report a prefetch that failed', async () => {
    const { callbacks, names } = listener();
    const signer = vi.fn(() => Promise.reject(new Error('no')));
    renderButton({ signer, ...callbacks });
    await userEvent.hover(button());
    await waitFor(() => expect(signer).toHaveBeenCalled());
    await new Promise((done) => setTimeout(done, 50));
    expect(names()).toEqual([]);
  });

  it('reach the other callbacks when one of them throws', async () => {
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

  it('report closed when the page removes the button', async () => {
    const { callbacks, names } = listener();
    const { signer } = countingSigner();
    const { unmount } = renderButton({ signer, ...callbacks });
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(names()).toContain('onLoad'));
    unmount();
    expect(dialog()).toBeNull();
    // Removing the button also closes the widget, so the page gets "closed".
    expect(names().slice(4)).toEqual(['onClose', 'onEvent']);
  });

  it.each(['modal', 'inline'] as const)(
    'report closed when the page removes the parent of a checkout shown %s',
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

  it('are queued when a callback closes or removes the button', async () => {
    const { callbacks, names } = listener();
    let page: UseCheckoutResult | undefined;
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

  it('are discriminated by their type', () => {
    const error = (event: CheckoutEvent) => event.type === 'failed' && event.error;
    expectTypeOf(error).returns.toEqualTypeOf<false | RampError>();
    expectTypeOf<CheckoutEvent['type']>().toEqualTypeOf<
      'opened' | 'loaded' | 'closed' | 'blocked' | 'failed'
    >();
  });
});
