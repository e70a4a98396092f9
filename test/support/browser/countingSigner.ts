import type { CheckoutProposal, CheckoutSigner, SignedCheckout } from '../../../src/index.js';

/** A signer inside the page that records its calls. */
export interface CountingSigner {
  readonly signer: CheckoutSigner;
  readonly asked: CheckoutProposal[];
  readonly signals: AbortSignal[];
}

/** Creates a signer that records each proposal and returns the result of `sign` after `delayMs`. */
export function countingSigner(
  delayMs = 0,
  sign: (proposal: CheckoutProposal) => SignedCheckout | Promise<SignedCheckout> = signProposal,
): CountingSigner {
  const asked: CheckoutProposal[] = [];
  const signals: AbortSignal[] = [];
  return {
    asked,
    signals,
    signer: async (proposal, { signal }) => {
      asked.push(proposal);
      signals.push(signal);
      if (delayMs) await new Promise((done) => setTimeout(done, delayMs));
      return sign(proposal);
    },
  };
}

/** Creates a signer that returns its signatures only after a call of `release`. */
export function deferredSigner(): CountingSigner & { readonly release: () => Promise<void> } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    ...countingSigner(0, async (proposal) => {
      await released;
      return signProposal(proposal);
    }),
    async release() {
      release();
      // The code that waits for the signature continues in later tasks.
      await new Promise((done) => setTimeout(done, 100));
    },
  };
}

let count = 0;

/** Returns the response of a backend: a reference, and parameters with a unique signature. */
export function signProposal({ params }: CheckoutProposal): SignedCheckout {
  const reference = `ref-${++count}`;
  return {
    reference,
    params: {
      ...params,
      walletAddress: '0xSERVER',
      ext: reference,
      partnerId: 'p1',
      signature: `sig+${count}=`,
    },
    expiresInSeconds: 240,
  };
}
