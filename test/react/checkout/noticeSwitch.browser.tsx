import { act, render, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { OnRampButton, RampProvider } from '../../../src/index.js';
import { continueBackend, elapseWidgetTime } from '../../support/browser/continueBackend.js';
import {
  button,
  dialog,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

describe('notice={false}', () => {
  it.each([
    ['of the provider', { notice: false }, {}],
    ['of the button', {}, { notice: false }],
  ])('%s shows no notice after the widget was closed, and does not poll', async (_, shop, own) => {
    const backend = continueBackend();
    backend.answers[backend.reference] = {};
    const { container } = render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp" {...shop}>
        <OnRampButton {...own} />
      </RampProvider>,
    );
    act(() => button().click());
    await waitForDialog();
    await waitFor(() => expect(dialog()?.dataset.state).toBe('ready'));
    elapseWidgetTime();
    act(() => dialog()?.close());
    await waitFor(() => expect(dialog()).toBeNull());
    const polls = backend.polls.length;
    await act(() => new Promise((done) => setTimeout(done, 4000)));
    expect(container.querySelector('.ramp-notice')?.textContent ?? '').toBe('');
    expect(backend.polls.length).toBe(polls);
    expect(container.querySelector('[notice]')).toBeNull();
  });
});
