import { render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  NftCheckout,
  OnRampButton,
  type RampError,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  dialog,
  frameParams,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

describe('the parameter windowOpen', () => {
  it.each(['modal', 'popup', 'iframe', 'dialog'])(
    'is 1 in the dialog that display="%s" opens',
    async (display) => {
      renderButton({ display: display as never });
      await userEvent.click(button());
      await waitForDialog();
      expect(frameParams()).toEqual({ windowOpen: '1' });
    },
  );

  it('is 1 in the dialog that open() opens for an unknown display', async () => {
    function Own() {
      const { open } = useCheckout({ widget: 'on-ramp', widgetUrl });
      return (
        <button type="button" onClick={() => open({ display: 'popup' as never })}>
          Buy crypto
        </button>
      );
    }
    render(<Own />);
    await userEvent.click(button());
    await waitForDialog();
    expect(frameParams()).toEqual({ windowOpen: '1' });
  });

  it('has the name that the service reads', async () => {
    render(
      <RampProvider widgetUrl={widgetUrl} windowOpenName="windowopen">
        <OnRampButton />
      </RampProvider>,
    );
    await userEvent.click(button());
    await waitForDialog();
    expect(frameParams()).toEqual({ windowopen: '1' });
    expect(button().hasAttribute('windowopenname')).toBe(false);
  });

  it('is a flag of the page, also for an NFT, under the same name', async () => {
    const { signer } = countingSigner();
    render(
      <RampProvider widgetUrl={widgetUrl} signer={signer} windowOpenName="windowopen">
        <NftCheckout merchantUniqueId="print-7" windowOpen={false} />
      </RampProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Buy NFT' }));
    await waitForDialog();
    expect(frameParams()).toMatchObject({ windowopen: '0', merchantUniqueId: 'print-7' });
    expect(frameParams()).not.toHaveProperty('windowOpen');
  });
});

describe('an amount or a code that the browser adds', () => {
  it.each([
    [{ amount: '1.234' }, 'amount', /at most two decimals/],
    [{ amount: 'abc' }, 'amount', /decimal number/],
    [{ amountFixed: '-1' }, 'amountFixed', /decimal number/],
    [{ defaultFiatCurrency: 'usd' }, 'defaultFiatCurrency', /ISO currency code/],
    [{ fiatCurrency: 'USD, EUR' }, 'fiatCurrency', /without spaces/],
    [{ cryptoCurrency: 'USDT ERC20' }, 'cryptoCurrency', /codes separated by commas/],
    [{ windowOpen: 'yes' as never }, 'windowOpen', /0 or 1/],
  ])('is refused at the click: %o', async (props, param, message) => {
    const onError = vi.fn<(error: RampError) => void>();
    renderButton({ ...props, onError });
    await userEvent.click(button());
    await waitFor(() => expect(onError).toHaveBeenCalledOnce());
    const [error] = onError.mock.calls[0] as [RampError];
    expect(error.code).toBe('ERR_PARAMS_INVALID');
    expect(error.issues).toEqual([{ param, message: expect.stringMatching(message) }]);
    expect(error.message).toContain(param);
    expect(dialog()).toBeNull();
  });

  it.each([
    [{ amount: '0.5', fiatCurrency: ['USD', 'EUR'], cryptoCurrency: 'USDT_ERC20,ETH' }],
    [{ amount: '', defaultFiatCurrency: 'EUR', cryptoNetwork: 'tron_mainnet', language: 'pt-BR' }],
  ])('opens when it is valid: %o', async (props) => {
    renderButton(props);
    await userEvent.click(button());
    await waitForDialog();
  });
});
