import { useEffect, useRef } from 'react';
import type { PublicListing } from '../shop/useShop.js';

const timeFormatter = new Intl.DateTimeFormat('en', { timeStyle: 'short' });

interface PrintTakenProps {
  readonly listing: PublicListing;
  /** It takes the place of a button that the focus has come back to. */
  readonly takesFocus: boolean;
}

/** What stands in place of the button of a print that cannot be bought now. */
export function UnavailablePrint({
  listing: { state, heldUntil = 0 },
  takesFocus,
}: PrintTakenProps) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // With the button the focus has gone, if it was there.
    if (takesFocus && document.activeElement === document.body) place.current?.focus();
  }, [takesFocus]);
  return (
    <p ref={place} className="print-unavailable" tabIndex={-1}>
      {state === 'held' ? (
        <>
          <strong>Somebody is buying it.</strong> If they do not pay, it is free at{' '}
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
