import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type CheckoutProposal,
  type CheckoutSigner,
  createHttpSigner,
  isRampError,
  type RampError,
  type SignedCheckout,
} from '../../../src/index.js';

/** What the backend answered to one proposal. */
export type SignedResponse = { readonly signed: SignedCheckout } | { readonly error: RampError };

/**
 * A signer for the button, and the backend's last answer: what the button was given when it asked, so
 * that what is shown is what a click opens. Until another proposal is answered, the last answer stands.
 */
export function useSignedResponse(proposal: CheckoutProposal) {
  const [last, setLast] = useState<{ no: number; key: string; answer: SignedResponse }>();
  const count = useRef(0);
  const key = JSON.stringify(proposal);

  const signer = useCallback<CheckoutSigner>(async (asked, { signal }) => {
    count.current += 1;
    const no = count.current;
    const keep = (answer: SignedResponse) => {
      // An answer that was overtaken is not the one that the button holds.
      if (!signal.aborted)
        setLast((kept) =>
          kept && kept.no > no ? kept : { no, key: JSON.stringify(asked), answer },
        );
    };
    try {
      const signed = await createHttpSigner()(asked, { signal });
      keep({ signed });
      return signed;
    } catch (error) {
      if (isRampError(error)) keep({ error });
      throw error;
    }
  }, []);

  useEffect(() => {
    const abort = new AbortController();
    // What fails is shown.
    signer(JSON.parse(key), abort).catch(() => {});
    return () => abort.abort();
  }, [signer, key]);

  return { signer, answer: last?.answer, isCurrent: last?.key === key };
}
