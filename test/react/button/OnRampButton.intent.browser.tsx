import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampButton, RampError, RampProvider, useCheckout } from '../../../src/index.js';
import { countingSigner, signProposal } from '../../support/browser/countingSigner.js';
import {
  button,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

/** Waits 300 ms. A button requests a signature once the pointer has rested on it for 100 ms. */
const waitForDwell = () => new Promise((done) => setTimeout(done, 300));

/** Waits until the handlers of an event have run. */
const nextTask = () => new Promise((done) => setTimeout(done));

/** Dispatches `pointerover`, because moving the real pointer over 300 buttons would take too long. */
const enter = async (element: Element) => {
  element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  await nextTask();
};

/** Dispatches the events of a pointer that enters an element and leaves it. */
const cross = async (element: Element) => {
  await enter(element);
  element.dispatchEvent(new PointerEvent('pointerleave'));
  element.dispatchEvent(new PointerEvent('pointerout', { bubbles: true }));
};

/** Makes `matches(':hover')` true for each element, because dispatched events do not move the real pointer. */
const hoverAll = () => {
  const { matches } = Element.prototype;
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function (
    this: Element,
    selector: string,
  ) {
    return selector === ':hover' || matches.call(this, selector);
  });
};

/** Moves the real pointer away from the place where a test renders its button. */
beforeEach(() => userEvent.unhover(document.body));

/** Buttons of a page that calls `useCheckout` itself instead of rendering an `OnRampButton`. */
function OwnButton({ signer }: Pick<ReturnType<typeof countingSigner>, 'signer'>) {
  const { prefetch, open } = useCheckout({ widget: 'on-ramp', widgetUrl, signer });
  return (
    <>
      <button type="button" onPointerEnter={prefetch} onFocus={prefetch} onClick={() => open()}>
        Own
      </button>
      <button type="button" onClick={() => prefetch()}>
        Choose
      </button>
    </>
  );
}

describe('the intent to buy', () => {
  it('requests no signature for 300 buttons that the pointer crosses, and opens the clicked button', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `Buy ${index}`);
    const { signer, proposals } = countingSigner();
    // The margin moves the buttons below the viewport, so the real pointer is over none of them.
    render(
      <RampProvider widgetUrl={widgetUrl} signer={signer}>
        <div style={{ marginTop: '200vh' }}>
          {names.map((name) => (
            <OnRampButton key={name}>{name}</OnRampButton>
          ))}
        </div>
      </RampProvider>,
    );
    const buttons = screen.getAllByRole('button');
    await import('../../../src/client/checkout/openCheckout.js');
    hoverAll();
    for (const each of buttons) await cross(each);
    await waitForDwell();
    expect(proposals).toEqual([]);
    vi.restoreAllMocks();
    buttons[299]?.click();
    await waitForDialog();
    expect(proposals).toHaveLength(1);
  });

  it('requests a signature once the pointer has rested, and uses it for the click', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ signer });
    await userEvent.hover(button());
    await waitFor(() => expect(proposals).toHaveLength(1));
    await userEvent.click(button());
    await waitForDialog();
    await waitForDwell();
    expect(proposals).toHaveLength(1);
  });

  it('requests no signature for a button that gets the focus', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ signer });
    await userEvent.tab();
    expect(document.activeElement).toBe(button());
    await waitForDwell();
    expect(proposals).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await waitForDialog();
    expect(proposals).toHaveLength(1);
  });

  it('requests no signature for a button that is removed while the pointer rests', async () => {
    const { signer, proposals } = countingSigner();
    const { unmount } = renderButton({ signer });
    await userEvent.tab();
    hoverAll();
    await enter(button());
    unmount();
    await waitForDwell();
    expect(proposals).toEqual([]);
  });

  it('waits for the pointer on a button of the page too, and without an event for the latest call', async () => {
    const first = countingSigner();
    const second = countingSigner();
    render(<OwnButton signer={first.signer} />);
    render(<OwnButton signer={second.signer} />);
    const own = screen.getAllByText('Own');
    const choose = screen.getAllByText('Choose');
    await userEvent.hover(own[0] as Element);
    await waitFor(() => expect(first.proposals).toHaveLength(1));
    await userEvent.unhover(own[0] as Element);
    hoverAll();
    for (const each of own) await cross(each);
    (choose[0] as HTMLElement).click();
    (choose[1] as HTMLElement).click();
    await waitFor(() => expect(second.proposals).toHaveLength(1));
    await waitForDwell();
    expect([first.proposals.length, second.proposals.length]).toEqual([1, 1]);
  });

  it('stays idle when the request ahead of a click is refused, and opens at the click', async () => {
    let isRefused = true;
    const fetched = vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
      if (isRefused)
        return Response.json(
          { error: { code: 'ERR_REQUEST', message: 'Too many requests.' } },
          { status: 429 },
        );
      return Response.json(signProposal(JSON.parse(String(init?.body))), { status: 201 });
    });
    const onError = vi.fn();
    const onEvent = vi.fn();
    renderButton({ api: '/api/ramp', onError, onEvent });
    await userEvent.hover(button());
    await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    await waitForDwell();
    expect(screen.queryByRole('alert')).toBeNull();
    expect([onError.mock.calls, onEvent.mock.calls, button().dataset.state]).toEqual([
      [],
      [],
      'idle',
    ]);
    isRefused = false;
    await userEvent.click(button());
    await waitForDialog();
  });
});

describe('a click that a rate limit refuses', () => {
  const refuse = (headers: HeadersInit) =>
    Response.json(
      { error: { code: 'ERR_REQUEST', message: 'Too many requests.' } },
      { status: 429, headers },
    );

  it.each([['1'], ['0.2']])('waits for a Retry-After of %s s, then opens', async (seconds) => {
    const times: number[] = [];
    vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
      // This request only reports that the checkout was opened.
      if (init?.keepalive) return Response.json({});
      times.push(performance.now());
      if (times.length === 1) return refuse({ 'Retry-After': seconds });
      return Response.json(signProposal(JSON.parse(String(init?.body))), { status: 201 });
    });
    renderButton({ api: '/api/ramp' });
    button().click();
    await waitFor(() => expect(document.querySelector('dialog')?.open).toBe(true), {
      timeout: 5000,
    });
    const [first = 0, second = 0] = times;
    expect(times).toHaveLength(2);
    expect(second - first).toBeGreaterThanOrEqual(Number(seconds) * 1000 - 20);
  });

  it('reports the error when the second request is refused too', async () => {
    const fetched = vi
      .spyOn(window, 'fetch')
      .mockImplementation(async () => refuse({ 'Retry-After': '0.1' }));
    const onError = vi.fn<(error: RampError) => void>();
    renderButton({ api: '/api/ramp', onError });
    button().click();
    await screen.findByRole('alert');
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'ERR_REQUEST' });
  });

  it('waits for the time that a signer of the page names', async () => {
    let count = 0;
    const { signer } = countingSigner();
    renderButton({
      signer: (proposal, options) => {
        count++;
        if (count === 1) throw new RampError('ERR_SIGNER', 'Busy.', { retryAfterSeconds: 0.1 });
        return signer(proposal, options);
      },
    });
    button().click();
    await waitForDialog();
    expect(count).toBe(2);
  });

  it('requests nothing more once the button is removed', async () => {
    const fetched = vi
      .spyOn(window, 'fetch')
      .mockImplementation(async () => refuse({ 'Retry-After': '0.2' }));
    const { unmount } = renderButton({ api: '/api/ramp' });
    button().click();
    await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
    unmount();
    await waitForDwell();
    expect(fetched).toHaveBeenCalledOnce();
  });
});
