import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CheckoutStatus,
  type CheckoutStatusState,
  OnRampButton,
  QuotePreview,
  type RampError,
} from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  dialog,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

afterEach(() => {
  for (const restore of lost.splice(0)) restore();
});

const lost: (() => void)[] = [];

/** Removes a property that jsdom does not have. The property is restored after the test. */
function lose(target: object, name: string): void {
  const property = Object.getOwnPropertyDescriptor(target, name);
  if (!property) throw new Error(`Chromium has no ${name} there.`);
  Reflect.deleteProperty(target, name);
  lost.push(() => Object.defineProperty(target, name, property));
}

describe('<OnRampButton /> without showModal, close and ResizeObserver, as in jsdom', () => {
  const renderInJsdom = (props = {}) => {
    lose(HTMLDialogElement.prototype, 'showModal');
    lose(HTMLDialogElement.prototype, 'close');
    lose(window, 'ResizeObserver');
    const onClose = vi.fn();
    const { signer } = countingSigner();
    const page = renderButton({ signer, onClose, ...props });
    act(() => button().click());
    return { ...page, onClose };
  };

  it.each([
    ['its button', () => screen.getByRole('button', { name: 'Close the checkout' }).click()],
    [
      'Escape',
      () =>
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
        ),
    ],
  ])('opens the dialog with the focus in it, and closes it once with %s', async (_, close) => {
    const { onClose } = renderInJsdom();
    await waitForDialog();
    expect(document.activeElement).toBe(dialog());
    act(() => void close());
    expect(dialog()).toBeNull();
    expect(document.activeElement).toBe(button());
    expect(button().dataset.state).toBe('idle');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('closes the dialog on unmount', async () => {
    const { unmount, onClose } = renderInJsdom();
    await waitForDialog();
    unmount();
    expect(dialog()).toBeNull();
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('notices that the page removes an inline widget with its parent', async () => {
    const { container, onClose } = renderInJsdom({ display: 'inline' });
    await screen.findByRole('region');
    container.remove();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(container.querySelector('.ramp-inline')).toBeNull();
  });

  it('reports an error that a callback throws without reportError', async () => {
    lose(window, 'reportError');
    const fault = new ReferenceError('gtag is not defined');
    const uncaught = new Promise((done) => {
      const onError = (event: ErrorEvent) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        done(event.error);
      };
      window.addEventListener('error', onError, { capture: true, once: true });
    });
    renderInJsdom({
      onOpen: () => {
        throw fault;
      },
    });
    expect(await uncaught).toBe(fault);
    expect(button().dataset.state).toBe('open');
  });
});

describe('components without fetch, as in Jest with jsdom', () => {
  const expected = {
    code: 'ERR_CONFIG_INVALID',
    message: 'fetch is undefined in this environment.',
  };
  const loseFetch = () => {
    lose(window, 'fetch');
    return vi.spyOn(console, 'warn').mockImplementation(() => {});
  };

  it('is named by the button, in its error and in the console', async () => {
    const warn = loseFetch();
    const onError = vi.fn<(error: RampError) => void>();
    render(<OnRampButton widgetUrl={widgetUrl} api="/api/ramp" onError={onError} />);
    act(() => button().click());
    await waitFor(() => expect(onError).toHaveBeenCalledOnce());
    expect(onError.mock.calls[0]?.[0]).toMatchObject(expected);
    await waitFor(() =>
      expect(warn.mock.calls.join()).toMatch(/fetch is undefined.*jsdom.*createTestBackend/),
    );
  });

  it('is named by the status and the price', async () => {
    loseFetch();
    const states: CheckoutStatusState[] = [];
    const errors: unknown[] = [];
    render(
      <>
        <CheckoutStatus
          api="/api/ramp"
          reference="r1"
          render={(props, state) => {
            states.push(state);
            return <div {...props} />;
          }}
        />
        <QuotePreview
          api="/api/ramp"
          render={(props, { error }) => {
            errors.push(error);
            return <div {...props} />;
          }}
        />
      </>,
    );
    await waitFor(() => expect(states.at(-1)?.error).toMatchObject(expected));
    await waitFor(() => expect(errors.at(-1)).toMatchObject(expected));
  });
});
