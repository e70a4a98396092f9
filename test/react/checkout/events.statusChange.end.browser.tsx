import { act, render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { OnRampButton, type OnRampButtonProps } from '../../../src/index.js';
import { fakePopup } from '../../support/browser/fakePopup.js';
import { button, widgetUrl } from '../../support/browser/onRampButtonPage.js';
import {
  createCheckoutResponse,
  pollNow,
  type StatusRequest,
  statusBackend,
} from '../../support/browser/statusBackend.js';
import {
  closeWidgetDialog,
  openWidgetDialog,
  progressHistory,
  recordStatusChange,
  resetBeforeEach,
  signer,
  statusChangePage,
  statusChanges,
  wait,
} from './statusChangePage.js';

resetBeforeEach();

describe('onStatusChange stops', () => {
  const stages: Readonly<Record<string, (first: StatusRequest) => unknown>> = {
    'before the backend responds': () => {},
    'after the present state': async ({ respond, references }) => {
      respond(createCheckoutResponse({ reference: references[0] ?? '' }));
      await waitFor(() => expect(statusChanges).toHaveLength(1));
    },
    'while it waits after a failure': async ({ fail }) => {
      fail();
      await wait(20);
    },
  };

  it.each(Object.entries(stages))('when the component unmounts %s', async (stage, reach) => {
    const isPending = stage === 'before the backend responds';
    const { requests, nth } = statusBackend();
    const { unmount } = render(<StrictMode>{statusChangePage()}</StrictMode>);
    await openWidgetDialog();
    const first = await nth(1);
    await reach(first);
    const before = statusChanges.length;
    unmount();
    // A request that is in flight is aborted.
    expect(first.init.signal?.aborted).toBe(isPending);
    // This would trigger a pending retry at once. After the unmount, no retry may be pending.
    pollNow();
    await wait(200);
    expect(requests).toHaveLength(1);
    expect(statusChanges).toHaveLength(before);
  });

  it('when the component unmounts in the task that opens the checkout', async () => {
    const { requests } = statusBackend();
    const { unmount } = render(statusChangePage({ onOpen: () => unmount() }));
    act(() => button().click());
    await waitFor(() => expect(document.querySelector('.ramp-button')).toBeNull());
    await wait(100);
    expect(requests.filter(({ init }) => !init.signal?.aborted)).toEqual([]);
    expect(statusChanges).toEqual([]);
  });

  it('when the component unmounts and its window stays open', async () => {
    const { nth } = statusBackend();
    const blank = fakePopup();
    vi.spyOn(window, 'open').mockReturnValue(blank as never);
    const { unmount } = render(statusChangePage({ display: 'window' }));
    act(() => button().click());
    const first = await nth(1);
    unmount();
    expect(first.init.signal?.aborted).toBe(true);
    expect(blank.closed).toBe(false);
  });

  it('and starts again with a component that is mounted again', async () => {
    const { nth } = statusBackend();
    const { unmount } = render(statusChangePage());
    await openWidgetDialog();
    await nth(1);
    unmount();
    render(statusChangePage());
    await openWidgetDialog();
    const { respond, references } = await nth(2);
    respond(createCheckoutResponse({ reference: references[0] ?? '' }));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
  });
});

describe('onStatusChange is not called', () => {
  it.each([
    ['without an api', { api: undefined as never }],
    ['without the callback', { onStatusChange: undefined }],
  ])('%s', async (_, props) => {
    const { requests } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(
      <OnRampButton
        {...({
          widgetUrl,
          signer: signer.signer,
          onStatusChange: recordStatusChange,
          api: '/api/ramp',
          ...props,
        } as OnRampButtonProps)}
      />,
    );
    await openWidgetDialog();
    await wait(100);
    expect(requests).toEqual([]);
  });

  it('for a Basic Partner, whose checkouts have no reference', async () => {
    const { requests } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    render(<OnRampButton widgetUrl={widgetUrl} onStatusChange={recordStatusChange} />);
    await openWidgetDialog();
    await wait(100);
    expect(requests).toEqual([]);
    expect(statusChanges).toEqual([]);
  });
});

describe('onStatusChange after an error', () => {
  it('does not change the button', async () => {
    const { nth } = statusBackend();
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const onError = vi.fn();
    render(statusChangePage({ onError }));
    await openWidgetDialog();
    (await nth(1)).respond();
    await wait(50);
    expect(button().dataset.state).toBe('open');
    expect(document.querySelector('.ramp-note')).toBeNull();
    expect(onError).not.toHaveBeenCalled();
    await closeWidgetDialog();
    await openWidgetDialog();
    const { respond, references } = await nth(2);
    expect(references).toHaveLength(1);
    respond(createCheckoutResponse({ reference: references[0] ?? '' }));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
  });

  it('is called with the next change after it has thrown', async () => {
    const { nth } = statusBackend();
    const reported: unknown[] = [];
    vi.spyOn(window, 'reportError').mockImplementation((error) => void reported.push(error));
    const fault = new Error('the page');
    render(
      statusChangePage({
        onStatusChange: (answer) => {
          statusChanges.push(answer);
          throw fault;
        },
      }),
    );
    await openWidgetDialog();
    const first = await nth(1);
    const [reference = ''] = first.references;
    first.respond(createCheckoutResponse({ reference }));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting']));
    pollNow();
    (await nth(2)).respond(createCheckoutResponse({ reference, progress: 'finished' }));
    await waitFor(() => expect(progressHistory()).toEqual(['waiting', 'finished']));
    expect(reported).toEqual([fault, fault]);
    expect(button().dataset.state).toBe('open');
  });
});
