import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OnRampButton, RampProvider } from '../../../src/index.js';
import { continueBackend } from '../../support/browser/continueBackend.js';
import { button, waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';

afterEach(cleanup);

describe('the report of an opening', () => {
  it('is sent with keepalive once the checkout is open, and not before', async () => {
    const { reference } = continueBackend();
    const reports = () =>
      vi
        .mocked(fetch)
        .mock.calls.filter(([url]) => `${url}` === `/api/ramp/checkouts/${reference}/opened`)
        .map(([, init]) => [init?.method, init?.keepalive]);
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <OnRampButton />
      </RampProvider>,
    );
    act(() => button().focus());
    expect(reports()).toEqual([]);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(reports()).toEqual([['POST', true]]));
  });
});
