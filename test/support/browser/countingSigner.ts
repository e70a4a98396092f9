import type { CheckoutProposal, CheckoutSigner, SignedCheckout } from '../../../src/index.js';

/** A signer in the page's own process that counts what it is asked. */
export interface CountingSigner {
  readonly signer: CheckoutSigner;
  readonly asked: CheckoutProposal[];
  readonly signals: AbortSignal[];
}

/** Answers `answer`, after `delayMs`, and remembers each question. */
export function countingSigner(
  delayMs = 0,
  answer: (proposal: CheckoutProposal) => SignedCheckout | Promise<SignedCheckout> = signProposal,
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
      return answer(proposal);
    },
  };
}

/** A signer whose signatures are ready when `release` is called, and not before. */
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
      // What waits for the signature goes on in later tasks.
      await new Promise((done) => setTimeout(done, 100));
    },
  };
}

let count = 0;

/** What a backend answers: a reference, and parameters with a signature that no other has. */
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
