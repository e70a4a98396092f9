import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  CheckoutNote,
  OnRampButton,
  type RampError,
  RampProvider,
  type SignedCheckout,
  useCheckout,
} from '../../../src/index.js';
import {
  countingSigner,
  deferredSigner,
  signProposal,
} from '../../support/browser/countingSigner.js';
import { fakePopup } from '../../support/browser/fakePopup.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

const failOn = <T extends object, K extends keyof T>(target: T, method: K) =>
  vi.spyOn(target, method as never).mockImplementation((() => {
    throw new TypeError('The browser failed.');
  }) as never);

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe('<OnRampButton /> after a failure', () => {
  it.each([
    ['returns undefined', async () => undefined],
    ['returns no signature', async () => ({ params: { walletAddress: '0xF0' } })],
    [
      'throws',
      async () => {
        throw new Error('boom');
      },
    ],
  ])('does not open the widget when the signer %s', async (_, signer) => {
    const onError = vi.fn<(error: RampError) => void>();
    renderButton({ signer: signer as never, onError });
    await userEvent.click(button());
    await waitFor(() => expect(onError).toHaveBeenCalledOnce());
    expect(onError.mock.calls[0]?.[0].code).toBe('ERR_SIGNER');
    expect(dialog()).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('could not be opened');
  });

  it.each([
    ['modal', 'observe', () => failOn(ResizeObserver.prototype, 'observe')],
    ['inline', 'observe', () => failOn(ResizeObserver.prototype, 'observe')],
    ['modal', 'showModal', () => failOn(HTMLDialogElement.prototype, 'showModal')],
  ] as const)(
    'leaves no elements in the page when display %s fails in %s',
    async (display, _, breakView) => {
      breakView();
      const onError = vi.fn<(error: RampError) => void>();
      renderButton({ display, onError });
      await userEvent.click(button());
      await waitFor(() => expect(onError).toHaveBeenCalledOnce());
      expect(document.querySelector('dialog, .ramp-inline, iframe.ramp-frame')).toBeNull();
      vi.restoreAllMocks();
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(document.querySelectorAll('iframe.ramp-frame')).toHaveLength(1));
    },
  );

  it('calls the headers function again on "Try again" after it has failed', async () => {
    const onError = vi.fn<(error: RampError) => void>();
    const cause = new Error('no token');
    const sent: (string | null)[] = [];
    vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return Response.json(signProposal({ widget: 'on-ramp', params: {} }));
    });
    let isExpired = true;
    const headers = async () => {
      if (isExpired) throw cause;
      return { Authorization: 'Bearer t' };
    };
    renderButton({ api: '/api/ramp', headers, onError });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'ERR_SIGNER', cause });
    isExpired = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitForDialog();
    expect(sent[0]).toBe('Bearer t');
  });

  it('shows the error and opens on "Try again"', async () => {
    let fails = true;
    const { signer } = countingSigner();
    renderButton({
      signer: (proposal, options) => {
        if (fails) throw new Error('first time');
        return signer(proposal, options);
      },
    });
    await userEvent.click(button());
    await screen.findByRole('alert');
    expect(button().dataset.state).toBe('error');
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitForDialog();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  describe('when the policy refuses', () => {
    const refuse = () => {
      const body = { error: { code: 'ERR_POLICY_REFUSED', message: 'Sign in to buy.' } };
      vi.spyOn(window, 'fetch').mockImplementation(async () =>
        Response.json(body, { status: 403 }),
      );
    };

    it('shows the message of the policy, without "Try again"', async () => {
      refuse();
      renderButton({ api: '/api/ramp' });
      await userEvent.click(button());
      const alert = await screen.findByRole('alert');
      await waitFor(() => expect(alert.textContent?.trim()).toBe('Sign in to buy.'));
      expect(screen.getAllByRole('button')).toEqual([button()]);
    });

    it('shows the action of the page, from the prop or else the provider', async () => {
      refuse();
      const show = (own: string | undefined, name: string) => (
        <RampProvider
          widgetUrl={widgetUrl}
          api="/api/ramp"
          errorAction={({ code }) => <a href="/login">{`${name}: ${code}`}</a>}
        >
          <OnRampButton errorAction={own === undefined ? own : () => own} />
        </RampProvider>
      );
      const { rerender } = render(show(undefined, 'Sign in'));
      await userEvent.click(button());
      const link = await screen.findByRole('link');
      expect(link.textContent).toBe('Sign in: ERR_POLICY_REFUSED');
      // The note shows the action of the latest render.
      rerender(show(undefined, 'Log in'));
      expect(link.textContent).toBe('Log in: ERR_POLICY_REFUSED');
      rerender(show('Ask us', 'Log in'));
      expect(screen.getByRole('alert').textContent?.trim()).toBe('Sign in to buy. Ask us');
    });
  });

  describe('when nobody is signed in', () => {
    const signOut = () => {
      const body = { error: { code: 'ERR_SIGNED_OUT', message: 'No session.' } };
      return vi
        .spyOn(window, 'fetch')
        .mockImplementation(async () => Response.json(body, { status: 401 }));
    };

    it('asks the shopper to sign in, without the message of the backend and "Try again"', async () => {
      signOut();
      renderButton({ api: '/api/ramp' });
      await userEvent.click(button());
      const alert = await screen.findByRole('alert');
      await waitFor(() => expect(alert.textContent?.trim()).toBe('Sign in to buy.'));
      expect(screen.getAllByRole('button')).toEqual([button()]);
    });

    it('does so in the language of the page, with the action of the page', async () => {
      signOut();
      render(
        <RampProvider
          widgetUrl={widgetUrl}
          api="/api/ramp"
          messages={{ signIn: 'Melden Sie sich an.' }}
          errorAction={({ code }) =>
            code === 'ERR_SIGNED_OUT' ? <a href="/login">Anmelden</a> : undefined
          }
        >
          <OnRampButton />
        </RampProvider>,
      );
      await userEvent.click(button());
      await screen.findByRole('link', { name: 'Anmelden' });
      expect(screen.getByRole('alert').textContent?.trim()).toBe('Melden Sie sich an. Anmelden');
    });
  });

  describe('when the backend refuses the request', () => {
    const refuse = (code: string, status: number) =>
      vi
        .spyOn(window, 'fetch')
        .mockImplementation(async () =>
          Response.json({ error: { code, message: 'Refused.' } }, { status }),
        );

    it.each([
      ['a wallet of another chain', 'ERR_PARAMS_INVALID', 400],
      ['an option of the backend', 'ERR_CONFIG_INVALID', 500],
      ['the origin of the page', 'ERR_ORIGIN_REFUSED', 403],
    ])('says what helps in place of "Try again": %s', async (_, code, status) => {
      refuse(code, status);
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      renderButton({ api: '/api/ramp' });
      await userEvent.click(button());
      const alert = await screen.findByRole('alert');
      await waitFor(() =>
        expect(alert.textContent?.trim()).toBe(
          'The checkout could not be opened. Choose something else, or contact the shop.',
        ),
      );
      expect(screen.getAllByRole('button')).toEqual([button()]);
    });

    it.each([
      ['too many requests', 'ERR_RATE_LIMITED', 429],
      ['a busy backend', 'ERR_TIMEOUT', 503],
      ['a failed backend', 'ERR_INTERNAL', 500],
    ])('offers "Try again" after what may pass: %s', async (_, code, status) => {
      refuse(code, status);
      renderButton({ api: '/api/ramp' });
      await userEvent.click(button());
      await screen.findByRole('button', { name: 'Try again' });
      expect(screen.getByRole('alert').textContent).not.toContain('contact the shop');
    });
  });

  it('shows "Try again" unless errorAction returns something else, which can try again too', async () => {
    let fails = true;
    const { signer } = countingSigner();
    const props = {
      widgetUrl,
      signer: (...given: Parameters<typeof signer>) => {
        if (fails) throw new Error('first time');
        return signer(...given);
      },
    };
    const { rerender } = render(<OnRampButton {...props} errorAction={() => undefined} />);
    await userEvent.click(button());
    await screen.findByRole('button', { name: 'Try again' });
    rerender(
      <OnRampButton
        {...props}
        errorAction={(_, retry) => (
          <button type="button" onClick={retry}>
            Once more
          </button>
        )}
      />,
    );
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Once more' }));
    await waitForDialog();
  });

  it('calls the signer again on "Try again" after an invalid response', async () => {
    const answers = [{} as SignedCheckout];
    const { signer, proposals } = countingSigner(
      0,
      (proposal) => answers.pop() ?? signProposal(proposal),
    );
    renderButton({ signer });
    await userEvent.click(button());
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitForDialog();
    expect(proposals).toHaveLength(2);
  });

  it('does not abort a request that has completed', async () => {
    const { signer, signals } = countingSigner();
    renderButton({ signer });
    await userEvent.click(button());
    await waitForDialog();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('discards the signature when the backend, its headers or the signer change', async () => {
    const fetched: string[] = [];
    vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
      // This request only reports that the checkout was opened.
      if (init?.keepalive) return Response.json({});
      fetched.push(`${url} ${new Headers(init?.headers).get('x-user')}`);
      return Response.json(signProposal(JSON.parse(String(init?.body))), { status: 201 });
    });
    const view = (settings: object) => <OnRampButton widgetUrl={widgetUrl} {...settings} />;
    const { rerender } = render(view({ api: '/a/', headers: { 'x-user': '1' } }));
    await userEvent.hover(button());
    await waitFor(() => expect(fetched).toHaveLength(1));
    rerender(view({ api: '/a/', headers: { 'x-user': '2' } }));
    await userEvent.unhover(button());
    await userEvent.hover(button());
    await waitFor(() => expect(fetched).toHaveLength(2));
    rerender(view({ api: '/b', headers: { 'x-user': '2' } }));
    await userEvent.click(button());
    await waitForDialog();
    expect(fetched).toEqual(['/a/checkouts 1', '/a/checkouts 2', '/b/checkouts 2']);
  });

  it('combines its credentials and headers with the api of the provider', async () => {
    const fetched = vi
      .spyOn(window, 'fetch')
      .mockImplementation(async (_, init) =>
        Response.json(signProposal(JSON.parse(String(init?.body))), { status: 201 }),
      );
    render(
      <RampProvider widgetUrl={widgetUrl} api="">
        <OnRampButton headers={{ 'X-Csrf': 't' }} credentials="include" />
      </RampProvider>,
    );
    await userEvent.click(button());
    await waitForDialog();
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect([url, init?.credentials]).toEqual(['/checkouts', 'include']);
    expect(new Headers(init?.headers).get('x-csrf')).toBe('t');
  });

  it('keeps a checkout open when a callback of the page throws', async () => {
    const reported = vi.spyOn(window, 'reportError').mockImplementation(() => {});
    const onError = vi.fn();
    const fault = new ReferenceError('gtag is not defined');
    const { signer } = countingSigner();
    renderButton({
      signer,
      onError,
      onEvent: () => {
        throw fault;
      },
    });
    await userEvent.click(button());
    await waitForDialog();
    expect(button().dataset.state).toBe('open');
    expect(reported).toHaveBeenCalledWith(fault);
    expect(onError).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(button().dataset.state).toBe('idle'));
  });

  it('aborts a pending opening on unmount', async () => {
    const { signer, signals, release } = deferredSigner();
    const onError = vi.fn();
    const { unmount } = renderButton({ signer, onError });
    await userEvent.click(button());
    unmount();
    expect(signals[0]?.aborted).toBe(true);
    await release();
    expect(dialog()).toBeNull();
    expect(onError).not.toHaveBeenCalled();
  });

  it('requests no second signature when the click itself unmounts the button', async () => {
    const { signer, proposals, signals } = deferredSigner();
    // The code of the click is there, as it usually is, so the click runs to its end in this task.
    await import('../../../src/client/checkout/openCheckout.js');
    function MenuItem() {
      const [isShown, setShown] = useState(true);
      return isShown && <OnRampButton {...{ widgetUrl, signer }} onClick={() => setShown(false)} />;
    }
    render(<MenuItem />);
    act(() => button().click());
    await waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true]));
    // A second request would begin in the next task.
    await wait(100);
    expect(proposals).toHaveLength(1);
  });

  describe('with useCheckout', () => {
    const Custom = (options: Parameters<typeof useCheckout>[0]) => {
      const { open, close, status } = useCheckout({ widgetUrl, ...options });
      return (
        <>
          <button type="button" onClick={() => open()}>
            {status}
          </button>
          <button type="button" onClick={close}>
            Never mind
          </button>
        </>
      );
    };

    it('does not open a checkout that was closed while it was signed', async () => {
      const { signer, signals, release } = deferredSigner();
      const onEvent = vi.fn();
      render(<Custom widget="on-ramp" signer={signer} onEvent={onEvent} />);
      await userEvent.click(screen.getByRole('button', { name: 'idle' }));
      screen.getByRole('button', { name: 'signing' });
      await userEvent.click(screen.getByRole('button', { name: 'Never mind' }));
      screen.getByRole('button', { name: 'idle' });
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      await release();
      expect(dialog()).toBeNull();
      expect(onEvent).not.toHaveBeenCalled();
    });

    it('leaves the focus where it is when the page closes the checkout at once', async () => {
      const { signer, proposals } = deferredSigner();
      function Own() {
        const { open, close } = useCheckout({ widget: 'on-ramp', widgetUrl, signer });
        const openAndClose = (trigger: HTMLElement) => {
          open({ trigger });
          close();
          screen.getByRole('textbox').focus();
        };
        return (
          <>
            <button type="button" onClick={({ currentTarget }) => openAndClose(currentTarget)}>
              Pay
            </button>
            <input aria-label="E-mail" />
          </>
        );
      }
      render(<Own />);
      act(() => screen.getByRole('button', { name: 'Pay' }).click());
      await waitFor(() => expect(proposals).toHaveLength(1));
      // A dialog that appeared, or a checkout that ended, would move the focus by now.
      await wait(100);
      expect(document.activeElement).toBe(screen.getByRole('textbox'));
      expect(proposals).toHaveLength(1);
    });

    it('opens the display of the failed opening on "Try again"', async () => {
      let isDown = true;
      const { signer } = countingSigner(0, (proposal) => {
        if (isDown) throw new Error('down');
        return signProposal(proposal);
      });
      const popups: ReturnType<typeof fakePopup>[] = [];
      vi.spyOn(window, 'open').mockImplementation(() => {
        popups.push(fakePopup());
        return popups.at(-1) as never;
      });
      function Own() {
        const checkout = useCheckout({ widget: 'on-ramp', widgetUrl, signer });
        return (
          <>
            <button type="button" onClick={() => checkout.open({ display: 'window' })}>
              Pay
            </button>
            <CheckoutNote checkout={checkout} />
          </>
        );
      }
      render(<Own />);
      await userEvent.click(screen.getByRole('button', { name: 'Pay' }));
      const retry = await screen.findByRole('button', { name: 'Try again' });
      isDown = false;
      await userEvent.click(retry);
      await waitFor(() => expect(popups[1]?.location.replace).toHaveBeenCalledOnce());
      expect(dialog()).toBeNull();
    });

    it.each([
      ['NFT checkout without a signer', { widget: 'nft' as const }, 'ERR_CONFIG_INVALID'],
      [
        'a parameter that the widget does not have',
        { widget: 'on-ramp' as const, params: { mintQuantity: '1' } as never },
        'ERR_PARAMS_INVALID',
      ],
    ])('refuses %s', async (_, options, code) => {
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      const onError = vi.fn<(error: RampError) => void>();
      render(<Custom {...options} onError={onError} />);
      await userEvent.click(screen.getByRole('button', { name: 'idle' }));
      await waitFor(() => expect(onError.mock.calls[0]?.[0].code).toBe(code));
      expect(dialog()).toBeNull();
    });
  });
});
