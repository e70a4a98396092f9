// `tsc` checks this file, and nothing runs it. If the types accept the code below a `@ts-expect-error`, `tsc` fails.
import {
  createHttpSigner,
  NftCheckout,
  OnRampButton,
  RampProvider,
  useCheckout,
} from '../../../src/index.js';
import { toExpress } from '../../../src/server/express.js';
import { createRamp, createWidgetSigner, type RampOptions } from '../../../src/server/index.js';

export const fine = [
  <OnRampButton key="1" amount="100" fiatCurrency={['USD', 'EUR']} cryptoCurrency="ETH,BTC" />,
  <OnRampButton key="2" walletAddress="0xF0" />,
  <OnRampButton key="3" walletAddress="0xF0" walletAddressLocked walletAddressHidden="1" />,
  <OnRampButton key="4" display="window" disabled aria-label="Buy" onClick={() => {}} />,
  <OnRampButton key="5" render={(props) => <button {...props} />} />,
  <NftCheckout key="7" type="MARKET" tokenId="7" ownerWalletAddress="0xA" amount="0.05" />,
  <NftCheckout key="8" type="MINT" mintQuantity={2} display="inline" fiatCurrency={['USD']} />,
  <NftCheckout key="9" merchantUniqueId="print-7" />,
  <NftCheckout key="12" merchantUniqueId="print-7" windowOpen />,
  <NftCheckout key="13" merchantUniqueId="print-7" windowOpen="0" />,
  <RampProvider key="14" windowOpenName="windowopen" />,
  <RampProvider key="10" headers={async () => ({ Authorization: 'Bearer t' })} />,
  <OnRampButton
    key="15"
    errorAction={({ code }, retry) => (code === 'ERR_NETWORK' ? <b onCopy={retry} /> : undefined)}
  />,
  <RampProvider key="16" errorAction={() => undefined} />,
  <RampProvider key="11" headers={() => ({ 'X-CSRF': 't' })} />,
  <RampProvider key="6" widgetUrl="https://pay.example" signer={createHttpSigner()} />,
];

declare const address: string | undefined;

/** The types accept `undefined` as the address, because a page has none until the shopper connects a wallet. */
export const connected = [
  <OnRampButton key="1" walletAddress={address} />,
  <OnRampButton key="2" walletAddress={address} walletAddressLocked />,
  <OnRampButton key="3" walletAddress={address} walletAddressLocked={Boolean(address)} />,
  <OnRampButton
    key="4"
    {...(address ? { walletAddress: address, walletAddressLocked: true } : {})}
  />,
  <OnRampButton key="5" {...(address && { walletAddress: address, walletAddressLocked: true })} />,
];

export const refused = [
  // @ts-expect-error amounts are decimal text
  <OnRampButton key="1" amount={100} />,
  // @ts-expect-error a locked wallet needs a wallet
  <OnRampButton key="2" walletAddressLocked />,
  // @ts-expect-error a hidden wallet needs a wallet
  <OnRampButton key="3" walletAddressHidden="1" />,
  // @ts-expect-error flags are booleans, '0' or '1'
  <OnRampButton key="4" walletAddress="0xF0" walletAddressLocked="yes" />,
  // @ts-expect-error defaultFiatCurrency is one currency, not a list
  <OnRampButton key="5" defaultFiatCurrency={['USD']} />,
  // @ts-expect-error 'tab' is no display
  <OnRampButton key="6" display="tab" />,
  // @ts-expect-error the signer sets the signature
  <OnRampButton key="7" signature="x" />,
  // @ts-expect-error the prop is named windowOpen
  <OnRampButton key="8" windowopen="1" />,
  // @ts-expect-error the signer sets the nonce, so the button omits the HTML attribute of this name
  <OnRampButton key="17" nonce="1" />,
  // @ts-expect-error the signer sets the timestamp
  <OnRampButton key="18" timestamp="1" />,
  // @ts-expect-error ext is text
  <OnRampButton key="19" ext={{ order: 7 }} />,
  // @ts-expect-error flags are booleans, '0' or '1'
  <NftCheckout key="20" merchantUniqueId="print-7" windowOpen="yes" />,
  // @ts-expect-error windowOpenName is a prop of RampProvider
  <OnRampButton key="21" windowOpenName="windowopen" />,
  // @ts-expect-error MARKET requires a token and an owner
  <NftCheckout key="10" type="MARKET" tokenId="7" />,
  // @ts-expect-error MINT requires a quantity
  <NftCheckout key="11" type="MINT" />,
  // @ts-expect-error a token that is yet to be minted has no tokenId
  <NftCheckout key="12" type="MINT" mintQuantity="1" tokenId="7" />,
  // @ts-expect-error MARKET sells one token, so there is no quantity
  <NftCheckout key="13" type="MARKET" tokenId="7" ownerWalletAddress="0xA" mintQuantity="1" />,
  // @ts-expect-error 'GIFT' is no type
  <NftCheckout key="14" type="GIFT" />,
  // @ts-expect-error cryptoNetwork is a parameter of the on-ramp
  <NftCheckout key="15" cryptoNetwork="ethereum_mainnet" />,
  // @ts-expect-error headers must not be a promise, because a promise would serve only one request
  <RampProvider key="16" headers={Promise.resolve({ Authorization: 'Bearer t' })} />,
  // @ts-expect-error a signer returns parameters, not a URL
  <RampProvider key="9" signer={async () => 'https://pay.example/home?…'} />,
];

// @ts-expect-error useCheckout requires a widget
export const noWidget = () => useCheckout({ widgetUrl: 'https://pay.example' });

const signer = createWidgetSigner({ partnerId: 'p1', secretKey: 's' });

// @ts-expect-error a Premium Partner must sign a wallet
export const noWallet = () => signer.sign('on-ramp', { amount: '5' });

declare const options: Omit<RampOptions, 'getShopper' | 'policy'>;

// @ts-expect-error a policy is required
export const noPolicy = () => createRamp({ ...options, getShopper: () => ({ id: 'u1' }) });

export const noId = () =>
  createRamp({
    ...options,
    // @ts-expect-error the result of getShopper must have an id
    getShopper: () => ({ user: 'u1' }),
    policy: () => ({ params: { walletAddress: '0xF0' } }),
  });

interface Session {
  readonly userId: string;
  readonly wallet: string;
}

export const { handler } = createRamp({
  ...options,
  getShopper: ({ context }: { context: Session }) => ({ id: context.userId, level: 3 }),
  // The policy knows the shopper that getShopper returns, and the context.
  policy: ({ shopper, context }) => {
    if (shopper.level.toFixed() === '0') throw new Error('A new shopper may not buy.');
    return { params: { walletAddress: context.wallet } };
  },
});

// @ts-expect-error this handler's policy needs a context
export const noContext = () => toExpress(handler);

// @ts-expect-error this handler's policy needs a context
export const noContextEither = () => handler(new Request('https://shop.example/checkouts'));
