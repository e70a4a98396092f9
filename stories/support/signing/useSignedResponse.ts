import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type CheckoutProposal,
  type CheckoutSigner,
  createHttpSigner,
  isRampError,
  type RampError,
  type SignedCheckout,
} from '../../../src/index.js';

export type SignedResponse = { readonly signed: SignedCheckout } | { readonly error: RampError };

/**
 * Returns a signer for the button, and the last response that this signer got. The panel shows that response, so its
 * texts are those that a click uses. The last response stays until there is a response to the next proposal.
 */
export function useSignedResponse(proposal: CheckoutProposal) {
  const [last, setLast] = useState<{ no: number; key: string; response: SignedResponse }>();
  const count = useRef(0);
  const key = JSON.stringify(proposal);

  const signer = useCallback<CheckoutSigner>(async (requested, { signal }) => {
    count.current += 1;
    const no = count.current;
    const keep = (response: SignedResponse) => {
      // If a later request has been answered already, the button ignores this response, so the panel does too.
      if (!signal.aborted)
        setLast((kept) =>
          kept && kept.no > no ? kept : { no, key: JSON.stringify(requested), response },
        );
    };
    try {
      const signed = await createHttpSigner()(requested, { signal });
      keep({ signed });
      return signed;
    } catch (error) {
      if (isRampError(error)) keep({ error });
      throw error;
    }
  }, []);

  useEffect(() => {
    const abort = new AbortController();
    // Ignore the error here, because the panel shows it.
    signer(JSON.parse(key), abort).catch(() => {});
    return () => abort.abort();
  }, [signer, key]);

  return { signer, response: last?.response, isCurrent: last?.key === key };
}
