import { useEffect, useRef } from 'react';
import type { PublicListing } from '../shop/useShop.js';

const timeFormatter = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface UnavailablePrintProps {
  readonly listing: PublicListing;
  /** Whether it replaces a button that had the focus. */
  readonly takesFocus: boolean;
}

/** Replaces the button of a print that cannot be bought now. */
export function UnavailablePrint({
  listing: { state, heldUntil = 0 },
  takesFocus,
}: UnavailablePrintProps) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Removing a focused button moves the focus to the body.
    if (takesFocus && document.activeElement === document.body) place.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={place} className="print-unavailable" tabIndex={-1}>
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
