import { act, render, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  type CheckoutEvent,
  type CheckoutResponse,
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
} from '../../../src/index.js';
import { signProposal } from './countingSigner.js';
import { fakePopup } from './fakePopup.js';
import { button, dialog, waitForDialog, widgetUrl } from './onRampButtonPage.js';
import { setPageClock } from './pageClock.js';
import { createCheckoutResponse, createPollResponse } from './statusBackend.js';

/**
 * Replaces `fetch` with a fake ramp handler. A test sets `continue`, the response to a request to continue a checkout,
 * and `answers`, the state of each checkout by its reference.
 */
export function continueBackend() {
  let signed = { ...signProposal({ widget: 'on-ramp', params: {} }), isListed: true };
  const reference = `${signed.reference}`;
  const backend = {
    reference,
    requests: [] as string[],
    /** The references of each request for states. */
    polls: [] as string[][],
    /** The checkouts that the page has reported as opened. */
    opened: [] as string[],
    answers: {} as Record<string, Partial<CheckoutResponse>>,
    /** The selection that the response to a request to continue has. */
    selection: undefined as unknown,
    continue: async (): Promise<Response> => {
      const { selection } = backend;
      return Response.json({
        ...signed,
        selection,
        params: { ...signed.params, signature: 'again' },
      });
    },
    init: undefined as RequestInit | undefined,
    /** Gives the next checkout the reference `next`, and the state of an unpaid checkout. */
    startAnother(next: string) {
      signed = { ...signed, reference: next };
      backend.answers[next] = {};
    },
  };
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init = {}) => {
    const path = `${url}`.replace('/api/ramp', '');
    const { method = 'GET' } = init;
    if (path.endsWith('/opened')) {
      backend.opened.push(path.split('/')[2] ?? '');
      return new Response(null, { status: 204 });
    }
    if (method === 'POST') backend.requests.push(path);
    if (path.endsWith('/continue')) {
      backend.init = init;
      return backend.continue();
    }
    if (method === 'POST') return Response.json(signed, { status: 201 });
    const references = new URLSearchParams(path.split('?')[1]).get('references')?.split(',') ?? [];
    backend.polls.push(references);
    const states = references.flatMap((reference) => {
      const known = backend.answers[reference];
      return known ? createCheckoutResponse({ reference, ...known }) : [];
    });
    return Response.json(createPollResponse(...states));
  });
  return backend;
}

/** Advances `performance.now()`. After the default of 5 seconds, the package assumes that the shopper may have paid. */
export function elapseWidgetTime(ms = 5001): void {
  setPageClock(performance.now() + ms);
}

/** Renders a button, clicks it, and waits until the widget in the dialog has loaded. */
export async function renderOpenCheckout(props: Partial<OnRampButtonProps> = {}) {
  const events: CheckoutEvent[] = [];
  const windows: ReturnType<typeof fakePopup>[] = [];
  vi.spyOn(window, 'open').mockImplementation(() => {
    const made = fakePopup();
    windows.push(made);
    return made as never;
  });
  const shown = render(
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <OnRampButton
        {...({ onEvent: (event) => events.push(event), ...props } as OnRampButtonProps)}
      />
    </RampProvider>,
  );
  act(() => button().click());
  await waitForDialog();
  await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
  return { ...shown, events, windows };
}
