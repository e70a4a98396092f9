import type { ReactNode } from 'react';
import { RampProvider } from '../../../src/index.js';
import type { Widget } from '../../../src/protocol/index.js';
import { getSignedNames } from '../../../src/protocol/widget/getWidgetParameters.js';
import { pickParams } from '../../../src/react/button/useCheckoutButton.js';
import type { CheckoutOptions } from '../../../src/react/checkout/useCheckout.js';
import {
  nftSigned,
  nftUnsigned,
  onRampSigned,
  onRampUnsigned,
} from '../../../src/react/params/parameterNames.js';
import { useRampSettings } from '../../../src/react/provider/RampProvider.js';
import { CopyButton } from './CopyButton.js';
import { IssueList } from './IssueList.js';
import { JoinedText } from './JoinedText.js';
import { resolveCheckoutTexts } from './resolveCheckoutTexts.js';
import { useSignedResponse } from './useSignedResponse.js';
import './signingPanel.css';

interface SigningPanelProps {
  readonly widget: Widget;
  /** The props of the button in the story. */
  readonly props: object;
  /** The rendered button. */
  readonly children: ReactNode;
}

const names = {
  'on-ramp': { signed: onRampSigned, unsigned: onRampUnsigned },
  nft: { signed: nftSigned, unsigned: nftUnsigned },
};

/** A button with its proposal, the signed text, and the URL that it opens. */
export function SigningPanel({ widget, props, children }: SigningPanelProps) {
  const [signedParams, others] = pickParams(props, names[widget].signed);
  const [unsignedParams, rest] = pickParams(others, names[widget].unsigned);
  const proposal = { widget, params: signedParams };
  const { signer, answer, isCurrent } = useSignedResponse(proposal);
  const options = useRampSettings<CheckoutOptions>({
    ...rest,
    widget,
    signedParams,
    unsignedParams,
  });
  const texts = resolveCheckoutTexts(options, answer);
  return (
    <>
      <div className="signing-subject">
        <RampProvider signer={signer}>{children}</RampProvider>
      </div>
      <section className="signing" aria-label="How it is signed" aria-busy={!isCurrent} lang="en">
        <h2>The page proposes</h2>
        <p>The signed props. The backend&apos;s policy decides which values are signed.</p>
        <code className="signing-text">
          <span className="signing-sign">POST /api/ramp/checkouts</span>
          {`\n${JSON.stringify(proposal, null, 2)}`}
        </code>
        {texts && 'error' in texts && <IssueList error={texts.error} />}
        {texts && 'url' in texts && <SignedTexts widget={widget} {...texts} />}
      </section>
    </>
  );
}

function SignedTexts({ widget, url, payload }: { widget: Widget; url: string; payload: string }) {
  const [start, query = ''] = url.split(/(?<=\?)/);
  return (
    <>
      <h2>The backend signs this text</h2>
      <CopyButton what="the text" text={payload} />
      <p>HMAC-SHA-256 with the SecretKey. Each opening has a new timestamp and nonce.</p>
      <JoinedText of="payload" text={payload} />
      <h2>A click opens this URL</h2>
      <CopyButton what="the URL" text={url} />
      <p>
        The signed parameters and the signature are <mark>marked</mark>. The shopper can change the
        rest.
      </p>
      <JoinedText
        of="url"
        {...(start && { start })}
        text={query}
        marked={[...getSignedNames(widget), 'signature']}
      />
    </>
  );
}
