import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  NftCheckout,
  OnRampButton,
  type OnRampButtonProps,
  type RampButtonProps,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { countingSigner } from '../../support/browser/countingSigner.js';
import {
  button,
  renderButton,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';

const warnings = () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  return () => warn.mock.calls.map(([text]) => text as string);
};

function InlineWithoutPlace() {
  const { open } = useCheckout({ widget: 'on-ramp', display: 'inline', widgetUrl });
  return (
    <button type="button" onClick={() => open()}>
      Buy crypto
    </button>
  );
}

const Inner = ({ given }: { given: RampButtonProps }) => <button {...given} />;

describe('the console of a development build', () => {
  it('says that a key in the page is a key for everybody', async () => {
    const said = warnings();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderButton({ secretKey: 'never so' } as never);
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/secretKey .* keep it in your backend/);
    expect(said()[0]).not.toContain('never so');
  });

  it('says the same of one that is given to the provider', async () => {
    const said = warnings();
    render(
      <RampProvider {...({ widgetUrl, privateKey: 'never so' } as object)}>
        <NftCheckout type="MINT" mintQuantity={1} />
      </RampProvider>,
    );
    await waitFor(() => expect(said()[0]).toMatch(/privateKey .* keep it in your backend/));
  });

  it('asks for a signer, and not for NFT parameters that belong to the backend', async () => {
    const said = warnings();
    render(<NftCheckout widgetUrl={widgetUrl} type="MINT" mintQuantity={1} />);
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/must be signed: .* an api or a signer/);
    expect(said()[0]).not.toContain('contractAddress');
  });

  it('says that nothing can be followed without an api', async () => {
    const said = warnings();
    renderButton({ onStatusChange: () => {} });
    await waitFor(() => expect(said()[0]).toMatch(/onStatusChange .* without an api/));
  });

  it('warns about an api that is undefined, on the button and on the provider', async () => {
    const said = warnings();
    renderButton({ api: undefined });
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/api is undefined .* opens unsigned/);
    cleanup();
    render(
      <RampProvider widgetUrl={`${widgetUrl}/other`} api={undefined}>
        <OnRampButton language="de" language-x="1" />
        <NftCheckout merchantUniqueId="1" />
      </RampProvider>,
    );
    await waitFor(() => expect(said()).toHaveLength(2));
    expect(said()[1]).toMatch(/api is undefined/);
  });

  it('does not warn a Basic Partner, who gives no api', async () => {
    const said = warnings();
    renderButton({ 'aria-label': 'Top up', title: 'x', tabIndex: 0, autoFocus: true });
    await new Promise((done) => setTimeout(done, 50));
    expect(said()).toEqual([]);
  });

  it('names the prop that a misspelt one means', async () => {
    const said = warnings();
    const { signer } = countingSigner();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderButton({ signer, walletadress: '0xF0', onOpend: () => {} } as never);
    await waitFor(() => expect(said()).toHaveLength(1));
    expect(said()[0]).toMatch(/no prop walletadress: did you mean walletAddress\?/);
    expect(said()[0]).toMatch(/no prop onOpend: did you mean onOpen\?/);
  });

  it('warns about a locked wallet without an address', async () => {
    const said = warnings();
    const { signer } = countingSigner();
    renderButton({ signer, walletAddress: undefined, walletAddressLocked: true });
    await waitFor(() => expect(said()[0]).toMatch(/no effect without a walletAddress/));
  });

  it('warns about headers that are a promise', async () => {
    const said = warnings();
    renderButton({ headers: Promise.resolve({}) } as never);
    await waitFor(() => expect(said()[0]).toMatch(/headers must be an object, or a function/));
  });

  it('warns about a render function that ignores what it is given', async () => {
    const said = warnings();
    renderButton({ render: () => <button type="button">Buy crypto</button> });
    await waitFor(() => expect(said()).toEqual([expect.stringMatching(/did not use onClick/)]));
  });

  it.each<[string, OnRampButtonProps['render']]>([
    ['spreads its props', (props) => <button {...props} />],
    ['passes its props on', (props) => <Inner given={props} />],
    [
      'reads them at the click',
      (props) => (
        <div>
          <button type="button" onClick={(event) => props.onClick?.(event)} />
        </div>
      ),
    ],
  ])('does not warn about a render function that %s', async (_, draw) => {
    const said = warnings();
    renderButton({ render: draw });
    await new Promise((done) => setTimeout(done, 50));
    expect(said()).toEqual([]);
  });

  it('says why an inline checkout without a place is in a dialog', async () => {
    const said = warnings();
    render(<InlineWithoutPlace />);
    await userEvent.click(button());
    await waitForDialog();
    await waitFor(() => expect(said()).toEqual([expect.stringContaining('inlineRef')]));
  });

  it('shows what a signer threw', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const cause = new Error('my backend is down');
    renderButton({ signer: () => Promise.reject(cause) });
    await userEvent.click(button());
    await screen.findByRole('alert');
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('ERR_SIGNER'), cause),
    );
  });
});
