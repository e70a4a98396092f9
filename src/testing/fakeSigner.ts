import type { Widget } from '../protocol/widget/widgetParameters.js';

/** What a page sent to its signer. */
export interface FakeProposal {
  readonly widget: Widget;
  readonly params: Readonly<Record<string, unknown>>;
  readonly selection?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The result of {@link fakeSigner}. Pass it to a component or to `RampProvider` as `signer`. */
export interface FakeSigner {
  (
    proposal: FakeProposal,
  ): Promise<{
    readonly params: Readonly<Record<string, string>>;
  }>;
  /** What the page sent, oldest first. */
  readonly proposals: readonly FakeProposal[];
}

/**
 * Creates a signer for tests of a page that need no backend. Its signature is not valid, so no widget opens with it.
 *
 * @example
 * const signer = fakeSigner();
 * render(<OnRampButton widgetUrl="https://pay.example" signer={signer} amount="100" />);
 */
export function fakeSigner(): FakeSigner {
  const proposals: FakeProposal[] = [];
  const sign = async (proposal: FakeProposal) => {
    proposals.push(proposal);
    return { params: { timestamp: '1', nonce: '2', signature: 'test' } };
  };
  return Object.assign(sign, { proposals });
}
