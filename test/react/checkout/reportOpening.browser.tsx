import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OnRampButton, RampProvider } from '../../../src/index.js';
import { continueBackend } from '../../support/browser/continueBackend.js';
import { button, waitForDialog, widgetUrl } from '../../support/browser/onRampButtonPage.js';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

describe('the report of an opening', () => {
  it('requests the state of an opened checkout with keepalive, and nothing before', async () => {
    const { reference } = continueBackend();
    const reports = () =>
      vi
        .mocked(fetch)
        .mock.calls.filter(([url]) => `${url}` === `/api/ramp/checkouts/${reference}`)
        .map(([, init]) => init?.keepalive);
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
        <OnRampButton />
      </RampProvider>,
    );
    act(() => button().focus());
    expect(reports()).toEqual([]);
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(reports()).toEqual([true]));
  });
});
