import { act, render, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  type CheckoutAnswer,
  type CheckoutEvent,
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
} from '../../src/index.js';
import { signedBy } from './counting-signer.js';
import { button, dialog, opened, widgetUrl } from './on-ramp-button.js';
import { popup } from './popup.js';
import { answerOf } from './status-backend.js';

/** A ramp handler in place of `fetch`. A test says how it continues a checkout, and the state of each. */
export function continueBackend() {
  const signed = signedBy({ widget: 'on-ramp', params: {} });
  const reference = `${signed.reference}`;
  const backend = {
    reference,
    requests: [] as string[],
    streams: [] as string[],
    answers: {} as Record<string, Partial<CheckoutAnswer>>,
    resume: async (): Promise<Response> =>
      Response.json({ ...signed, params: { ...signed.params, signature: 'again' } }),
    init: undefined as RequestInit | undefined,
  };
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init = {}) => {
    const path = `${url}`.replace('/api/ramp', '');
    const { method = 'GET' } = init;
    // The card asks again where it gets no stream.
    if (path.endsWith('/events')) {
      backend.streams.push(path);
      return Response.json({}, { status: 501 });
    }
    if (method === 'POST') backend.requests.push(path);
    if (path.endsWith('/continue')) {
      backend.init = init;
      return backend.resume();
    }
    if (method === 'POST') return Response.json(signed, { status: 201 });
    const of = path.split('/').at(-1) ?? '';
    const known = backend.answers[of];
    return known
      ? Response.json(answerOf({ reference: of, ...known }))
      : Response.json({ error: { code: 'ERR_REQUEST', message: 'none' } }, { status: 404 });
  });
  return backend;
}

const now = performance.now.bind(performance);

/** Lets the time pass in which a shopper may have paid. */
export function useWidget(ms = 5001): void {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** A button with its backend, its dialog open and its widget loaded. */
export async function openCheckout(props: Partial<OnRampButtonProps> = {}) {
  const events: CheckoutEvent[] = [];
  const windows: ReturnType<typeof popup>[] = [];
  vi.spyOn(window, 'open').mockImplementation(() => {
    const made = popup();
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
  await opened();
  await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
  return { ...shown, events, windows };
}
