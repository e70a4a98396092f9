import { act, render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { OnRampButton, type OnRampButtonProps } from '../../src/index.js';
import {
  close,
  eachAnew,
  openOnce,
  page,
  pause,
  progress,
  signer,
  tell,
  told,
} from '../support/followed-button.js';
import { button, widgetUrl } from '../support/on-ramp-button.js';
import { popup } from '../support/popup.js';
import { type Asked, answerOf, statusBackend } from '../support/status-backend.js';

eachAnew();

describe('What is followed ends', () => {
  const stages: Readonly<Record<string, (first: Asked) => unknown>> = {
    'before the stream is answered': () => {},
    'after the present state': async ({ stream }) => {
      stream().send(answerOf());
      await waitFor(() => expect(told).toHaveLength(1));
    },
    'while the backend is asked again': async ({ stream }) => {
      stream().end();
      await pause(20);
    },
    'while it waits after a failure': async ({ fail }) => {
      fail();
      await pause(20);
    },
  };

  it.each(Object.entries(stages))('with the component, %s', async (_, reach) => {
    const { asked, nth } = statusBackend();
    const { unmount } = render(<StrictMode>{page()}</StrictMode>);
    await openOnce();
    const first = await nth(1);
    await reach(first);
    const before = told.length;
    unmount();
    expect(first.init.signal?.aborted).toBe(true);
    // What ends every pause between two questions.
    window.dispatchEvent(new Event('online'));
    await pause(200);
    expect(asked).toHaveLength(1);
    expect(told).toHaveLength(before);
  });

  it('with the component, in the task in which it is opened', async () => {
    const { asked } = statusBackend();
    const { unmount } = render(page({ onOpen: () => unmount() }));
    act(() => button().click());
    await waitFor(() => expect(document.querySelector('.ramp-button')).toBeNull());
    await pause(100);
    expect(asked.filter(({ init }) => !init.signal?.aborted)).toEqual([]);
    expect(told).toEqual([]);
  });

  it('with the component, though its window stays open', async () => {
    const { nth } = statusBackend();
    const blank = popup();
    vi.spyOn(window, 'open').mockReturnValue(blank as never);
    const { unmount } = render(page({ display: 'window' }));
    act(() => button().click());
    const first = await nth(1);
    unmount();
    expect(first.init.signal?.aborted).toBe(true);
    expect(blank.closed).toBe(false);
  });

  it('and begins anew with a component that comes back', async () => {
    const { nth } = statusBackend();
    const { unmount } = render(page());
    await openOnce();
    await nth(1);
    unmount();
    render(page());
    await openOnce();
    (await nth(2)).stream().send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
  });
});

describe('Nothing is followed', () => {
  it.each([
    ['without an api', { api: undefined as never }],
    ['without the callback', { onStatusChange: undefined }],
  ])('%s', async (_, props) => {
    const { asked } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(
      <OnRampButton
        {...({
          widgetUrl,
          signer: signer.signer,
          onStatusChange: tell,
          api: '/api/ramp',
          ...props,
        } as OnRampButtonProps)}
      />,
    );
    await openOnce();
    await pause(100);
    expect(asked).toEqual([]);
  });

  it('for a Basic Partner, whose checkouts have no reference', async () => {
    const { asked } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(<OnRampButton widgetUrl={widgetUrl} onStatusChange={tell} />);
    await openOnce();
    await pause(100);
    expect(asked).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe('What goes wrong while a checkout is followed', () => {
  it('leaves the button as it is', async () => {
    const { nth } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const onError = vi.fn();
    render(page({ onError }));
    await openOnce();
    const refusal = { error: { code: 'ERR_REQUEST', message: 'There is no such checkout.' } };
    (await nth(1)).json(refusal, 404);
    (await nth(2)).json(refusal, 404);
    await pause(50);
    expect(button().dataset.state).toBe('open');
    expect(document.querySelector('.ramp-note')).toBeNull();
    expect(onError).not.toHaveBeenCalled();
    await close();
    await openOnce();
    (await nth(3)).stream().send(answerOf());
    await waitFor(() => expect(progress()).toEqual(['waiting']));
  });

  it("is the page's own where its callback throws, and the next change is told", async () => {
    const { nth } = statusBackend();
    const reported: unknown[] = [];
    vi.spyOn(window, 'reportError').mockImplementation((error) => void reported.push(error));
    const fault = new Error('the page');
    render(
      page({
        onStatusChange: (answer) => {
          told.push(answer);
          throw fault;
        },
      }),
    );
    await openOnce();
    const events = (await nth(1)).stream();
    events.send(answerOf());
    events.send(answerOf({ progress: 'finished' }));
    await waitFor(() => expect(progress()).toEqual(['waiting', 'finished']));
    expect(reported).toEqual([fault, fault]);
    expect(button().dataset.state).toBe('open');
  });
});
