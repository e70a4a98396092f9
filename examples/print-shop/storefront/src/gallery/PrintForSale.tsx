import { NftCard, type RampButtonProps } from '@partner-ramp/react';
import { useQuote } from '@partner-ramp/react/quotes';
import { useEffect, useRef, useState } from 'react';
import { PrintArt } from '../shop/PrintArt.js';
import { useDeferredFocus } from '../shop/useDeferredFocus.js';
import type { PublicListing, Shop } from '../shop/useShop.js';
import { useCheckoutFeedback } from './useCheckoutFeedback.js';

const NETWORKS: Readonly<Record<string, string>> = {
  arbitrum: 'Arbitrum',
  ethereum: 'Ethereum',
  polygon: 'Polygon',
};

interface PrintForSaleProps {
  readonly shop: Shop;
  readonly listing: PublicListing;
}

/**
 * Shows a print with its checkout button. The button sends the ID of the print and the quantity, and the
 * server signs the price and the wallet.
 */
export function PrintForSale({ shop, listing }: PrintForSaleProps) {
  const { id, number, title, type, network, currency, cryptoCurrency, prices } = listing;
  const { session, widgetUrl } = shop;
  const [quantity, setQuantity] = useState(1);
  const isMint = type === 'MINT';
  const { message, isUnderWay, wasOpen, isDelivered, callbacks } = useCheckoutFeedback({
    shopper: session?.signedIn ? session.wallets.evm : undefined,
    deliveredText: getDeliveredText(listing, quantity),
    onFailed: shop.refresh,
  });
  usePollUntilSold(listing, isDelivered, shop.refresh);
  const [focusRef, requestFocus] = useDeferredFocus();
  const mintProps = isMint ? { type, mintQuantity: quantity } : { render: renderWithoutPrefetch };
  const isSignedIn = session?.signedIn && widgetUrl;
  // While a checkout is open, or while the reason for a refusal is shown, keep the button even if the print is not for
  // sale.
  const isUnavailable = listing.state !== 'for-sale' && !isUnderWay;
  return (
    <NftCard
      // The key resets the button when the shopper changes, so that nobody opens a checkout that was signed for
      // someone else.
      key={session?.signedIn ? session.wallets.evm : 'nobody'}
      className="print"
      image={<PrintArt number={number} title={title} />}
      collection={`No. ${number}\u00a0· ${isMint ? 'Open edition' : 'One of one'} on ${NETWORKS[network] ?? network}`}
      name={<h3>{title}</h3>}
      price={prices[0] ?? ''}
      currency={currency}
      fiatPrice={
        // The card shows the price of one print, so convert the price of one print, too. The button shows the total.
        <FiatPrice price={prices[0]} cryptoCurrency={cryptoCurrency} isUnit={quantity > 1} />
      }
      maxQuantity={prices.length}
      onQuantityChange={setQuantity}
      button={{ merchantUniqueId: id, ...mintProps, ...callbacks, ref: focusRef }}
      action={
        isUnavailable ? (
          <UnavailablePrint listing={listing} takesFocus={wasOpen} />
        ) : isSignedIn ? undefined : (
          <SignIn shop={shop} to={isMint ? 'mint' : 'buy'} title={title} onSignIn={requestFocus} />
        )
      }
    >
      {message}
    </NftCard>
  );
}

function getDeliveredText({ type, state }: PublicListing, quantity: number): string {
  if (type === 'MINT')
    return quantity === 1 ? 'Paid: the print is yours.' : 'Paid: the prints are yours.';
  // The service accepts payments of several shoppers for this print. Only the shop knows which payment was first.
  if (state === 'sold')
    return 'Another shopper paid for this print before you. The shop is refunding your payment.';
  return state === 'yours' ? 'Paid: the print is yours.' : 'Your payment has arrived.';
}

/**
 * Renders a button that requests no signature before the click. Signing reserves a print that exists once, and moving
 * the pointer over the button must not reserve the print.
 */
const renderWithoutPrefetch = ({ onPointerEnter: _, onFocus: __, ...button }: RampButtonProps) => (
  <button {...button} className="ramp-button" />
);

/** The fiat price is refreshed rarely, because it is an estimate. The checkout shows the exact amount. */
const REFRESH_SECONDS = 300;

const formatter = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

interface FiatPriceProps {
  /** The price of one print in `cryptoCurrency`. */
  readonly price: string | undefined;
  readonly cryptoCurrency: string;
  /** Whether the shopper buys several prints. */
  readonly isUnit: boolean;
}

/** Shows the approximate price in fiat, or nothing without a quote. */
function FiatPrice({ price, cryptoCurrency, isUnit }: FiatPriceProps) {
  const { data: quote, isPrevious } = useQuote(
    price ? { amount: price, fiatCurrency: 'USD', cryptoCurrencyCode: cryptoCurrency } : undefined,
    { buyType: 'nft', refreshSeconds: REFRESH_SECONDS },
  );
  return (
    quote &&
    !isPrevious && (
      <>
        About {formatter.format(Number(quote.currencyAmount))} {quote.fiatCurrency}
        {isUnit && ' each'}
      </>
    )
  );
}

interface SignInProps {
  readonly shop: Shop;
  readonly to: 'buy' | 'mint';
  readonly title: string;
  readonly onSignIn: () => void;
}

/**
 * Replaces the checkout's button until a shopper is signed in. While the session is loading, an empty placeholder takes
 * up the space.
 */
function SignIn({ shop, to, title, onSignIn }: SignInProps) {
  if (shop.session?.signedIn !== false)
    return <div className="button-placeholder" aria-hidden="true" />;
  return (
    <button
      type="button"
      className="ramp-button print-sign-in"
      aria-label={`Sign in to ${to}: ${title}`}
      onClick={() => {
        onSignIn();
        shop.signIn('a');
      }}
    >
      Sign in to {to}
    </button>
  );
}

const timeFormatter = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface UnavailablePrintProps {
  readonly listing: PublicListing;
  /** Whether the text replaces a button that may have had the focus. */
  readonly takesFocus: boolean;
}

/** Replaces the button of a print that cannot be bought now. */
function UnavailablePrint({
  listing: { state, heldUntil = 0 },
  takesFocus,
}: UnavailablePrintProps) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The browser moves the focus to the body when a focused button is removed. Take the focus only in this case.
    if (takesFocus && document.activeElement === document.body) text.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={text} className="print-unavailable" data-state={state} tabIndex={-1}>
      {state === 'held' ? (
        <>
          <strong>Another shopper is buying it.</strong> If they don’t pay, it will be available at{' '}
          {timeFormatter.format(heldUntil * 1000)}.
        </>
      ) : (
        <>
          <strong>Sold</strong>
          {state === 'yours' && (
            <>
              {' '}
              to you. <a href="/orders">Your orders</a>
            </>
          )}
        </>
      )}
    </p>
  );
}

/**
 * The interval and the maximum number of reloads of the listings after a payment. Several reloads may be needed,
 * because the page learns of the order a little before the shop records the sale.
 */
const POLL_MS = 1000;
const MAX_ATTEMPTS = 30;

/** Reloads the listings after a payment until the shop has recorded who owns a print that exists once. */
function usePollUntilSold(
  { type, state }: Pick<PublicListing, 'type' | 'state'>,
  isPaid: boolean,
  refresh: () => void,
): void {
  const [attempts, setAttempts] = useState(0);
  const isSalePending =
    isPaid && type === 'MARKET' && state !== 'yours' && state !== 'sold' && attempts < MAX_ATTEMPTS;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts the next
  useEffect(() => {
    if (!isSalePending) return;
    const timer = setTimeout(() => {
      refresh();
      setAttempts((count) => count + 1);
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [isSalePending, refresh, attempts]);
}
