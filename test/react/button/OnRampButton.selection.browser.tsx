import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { parameterNames } from '../../../src/client/params/parameterNames.js';
import {
  OnRampButton,
  type OnRampButtonProps,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { parseSelection } from '../../../src/protocol/handler/parseSelection.js';
import { countingSigner, deferredSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  frameParams,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

/** A value of each parameter of a selection. */
const whole = {
  cryptoCurrency: 'USDT_ERC20,ETH',
  defaultCurrency: 'ETH',
  cryptoNetwork: 'ethereum_mainnet',
  fiatCurrency: 'EUR,USD',
  defaultFiatCurrency: 'EUR',
  amountFixed: '100',
  amount: '50',
} satisfies Partial<OnRampButtonProps>;

/** Moves the real pointer away from the place where a test renders its button. */
beforeEach(() => userEvent.unhover(document.body));

/** Hovers over a button until it has a signature, renders it with other props, and clicks it. */
async function changeBeforeClick(before: Partial<OnRampButtonProps>, after: typeof before) {
  const { signer, proposals } = countingSigner();
  const view = (props: typeof before) => (
    <OnRampButton {...({ widgetUrl, signer, ...props } as OnRampButtonProps)} />
  );
  const { rerender } = render(view(before));
  await userEvent.hover(button());
  await waitFor(() => expect(proposals).toHaveLength(1));
  rerender(view(after));
  await userEvent.click(button());
  await waitForDialog();
  return proposals;
}

describe('the selection of <OnRampButton />', () => {
  it('has every unsigned parameter that decides what is bought, and no other', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({
      signer,
      ...whole,
      cryptoCurrency: ['USDT_ERC20', 'ETH'],
      email: 'a@b.example',
      language: 'de',
      windowOpen: true,
      extraParams: { theme: 'dark' },
    });
    await userEvent.click(button());
    await waitForDialog();
    expect(proposals[0]?.selection).toEqual(whole);
    expect({ ...parseSelection('on-ramp', whole) }).toEqual(whole);
    const others = parameterNames['on-ramp'].unsigned.filter((name) => !(name in whole));
    expect(others.sort()).toEqual(['email', 'language', 'partnerId', 'windowOpen']);
  });

  it('is empty if nothing is selected', async () => {
    const { signer, proposals } = countingSigner();
    renderButton({ signer, email: 'a@b.example', walletAddress: '0xA' });
    await userEvent.click(button());
    await waitForDialog();
    expect(JSON.parse(JSON.stringify(proposals))).toEqual([
      { widget: 'on-ramp', params: { walletAddress: '0xA' }, selection: {} },
    ]);
  });

  it('causes one request, however often React renders', async () => {
    const { signer, proposals } = countingSigner();
    const view = (amount: number) => (
      <StrictMode>
        <RampProvider widgetUrl={widgetUrl} signer={(...args) => signer(...args)}>
          <OnRampButton
            {...whole}
            amount={`${amount}`}
            cryptoCurrency={['USDT_ERC20', 'ETH']}
            fiatCurrency={['EUR', 'USD']}
          />
        </RampProvider>
      </StrictMode>
    );
    const { rerender } = render(view(1));
    await userEvent.hover(button());
    for (let amount = 2; amount < 22; amount++) rerender(view(amount));
    await waitFor(() => expect(proposals).toHaveLength(1));
    for (let amount = 22; amount < 42; amount++) rerender(view(amount));
    await userEvent.dblClick(button());
    await waitForDialog();
    for (let amount = 42; amount < 62; amount++) rerender(view(amount));
    expect(proposals).toHaveLength(1);
  });

  it.each([
    ['cryptoCurrency', 'ETH'],
    ['defaultCurrency', 'USDT_ERC20'],
    ['cryptoNetwork', 'tron_mainnet'],
    ['fiatCurrency', 'EUR'],
    ['defaultFiatCurrency', 'USD'],
    ['amountFixed', '101'],
    ['amountFixed', undefined],
  ])(
    'asks for a new signature if %s becomes %s between prefetch and click',
    async (name, value) => {
      const proposals = await changeBeforeClick(whole, { ...whole, [name]: value });
      expect(proposals.map(({ selection }) => ({ ...selection })[name as 'amount'])).toEqual([
        whole[name as keyof typeof whole],
        value,
      ]);
    },
  );

  it.each([
    ['another amount', { amount: '51' }],
    ['no amount', { amount: undefined }],
    ['an e-mail address', { email: 'a@b.example' }],
    ['another language', { language: 'de' }],
  ])('uses the signature of the prefetch for %s', async (_, change) => {
    const { amountFixed: _fixed, ...open } = whole;
    expect(await changeBeforeClick(open, { ...open, ...change })).toHaveLength(1);
    expect(frameParams().amount).toBe('amount' in change ? change.amount : '50');
  });

  it('uses the signature of the prefetch if the props are in another order, or one has no value', async () => {
    const reversed = Object.fromEntries(Object.entries(whole).reverse());
    const sparse = { ...reversed, walletAddress: undefined };
    expect(await changeBeforeClick(whole, sparse)).toHaveLength(1);
  });

  it('discards the signature of the first attempt if the selection changes after a failure', async () => {
    let isDown = true;
    const { signer, proposals } = countingSigner(0, ({ params }) => {
      if (isDown) throw new Error('down');
      return { reference: 'r1', params: { ...params, signature: 's' } };
    });
    const { rerender } = renderButton({ signer, defaultCurrency: 'ETH' });
    await userEvent.click(button());
    await screen.findByRole('alert');
    isDown = false;
    // Usually one: the click asks again if the request of the hover has failed by then.
    const attempts = proposals.splice(0);
    for (const { selection } of attempts) expect(selection).toEqual({ defaultCurrency: 'ETH' });
    rerender(<OnRampButton widgetUrl={widgetUrl} signer={signer} defaultCurrency="BTC" />);
    await userEvent.click(button());
    await waitForDialog();
    expect(attempts.length).toBeGreaterThan(0);
    expect(proposals.map(({ selection }) => selection)).toEqual([{ defaultCurrency: 'BTC' }]);
  });

  it('is sent by useCheckout too, also if it changes while the first signature is pending', async () => {
    const { signer, proposals, signals, release } = deferredSigner();
    const Page = ({ coin }: { coin: string }) => {
      const params = { defaultCurrency: coin, email: 'a@b.example' };
      const { open, prefetch } = useCheckout({
        widget: 'on-ramp',
        widgetUrl,
        signer,
        params,
      });
      return (
        <button type="button" onPointerEnter={prefetch} onClick={() => open()}>
          Buy crypto
        </button>
      );
    };
    const { rerender } = render(<Page coin="ETH" />);
    await userEvent.hover(button());
    await waitFor(() => expect(proposals).toHaveLength(1));
    rerender(<Page coin="BTC" />);
    await userEvent.click(button());
    await waitFor(() => expect(proposals).toHaveLength(2));
    await release();
    await waitForDialog();
    expect(proposals.map(({ selection }) => selection?.defaultCurrency)).toEqual(['ETH', 'BTC']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(frameParams()).toMatchObject({ defaultCurrency: 'BTC' });
  });

  it('opens the widget with the response of a later backend, whose other fields it ignores', async () => {
    const params = { walletAddress: '0xSERVER', signature: 's' };
    vi.spyOn(window, 'fetch').mockImplementation(async () =>
      Response.json({ params, expiresInSeconds: 60, later: { amount: '7' } }, { status: 201 }),
    );
    renderButton({ api: '/api/ramp', ...whole });
    await userEvent.click(button());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ ...params, defaultCurrency: 'ETH' });
    expect(frameParams()).not.toHaveProperty('later');
  });
});
