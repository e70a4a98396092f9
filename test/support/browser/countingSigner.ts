import type { CheckoutProposal, CheckoutSigner, SignedCheckout } from '../../../src/index.js';

/** A signer without a backend. `proposals` and `signals` have the arguments of its calls. */
export interface CountingSigner {
  readonly signer: CheckoutSigner;
  readonly proposals: CheckoutProposal[];
  readonly signals: AbortSignal[];
}

/** Creates a signer that records each proposal and returns the result of `sign` after `delayMs`. */
export function countingSigner(
  delayMs = 0,
  sign: (proposal: CheckoutProposal) => SignedCheckout | Promise<SignedCheckout> = signProposal,
): CountingSigner {
  const proposals: CheckoutProposal[] = [];
  const signals: AbortSignal[] = [];
  return {
    proposals,
    signals,
    signer: async (proposal, { signal }) => {
      proposals.push(proposal);
      signals.push(signal);
      if (delayMs) await new Promise((done) => setTimeout(done, delayMs));
      return sign(proposal);
    },
  };
}

/** Creates a signer whose calls wait until the test calls `release`. */
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
      // The code under test continues in later tasks, so wait for it.
      await new Promise((done) => setTimeout(done, 100));
    },
  };
}

let count = 0;

/** Creates what a backend returns for a proposal. The reference and the signature are unique. */
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
