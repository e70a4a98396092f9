import './signingPanel.css';
import type { Decorator } from '@storybook/react-vite';
import { Fragment, type ReactNode } from 'react';
import type { CheckoutOptions } from '../../../src/client/checkout/CheckoutSettings.js';
import { createProposal } from '../../../src/client/checkout/createProposal.js';
import { parameterNames } from '../../../src/client/params/parameterNames.js';
import { pickParams } from '../../../src/client/params/pickParams.js';
import { RampProvider } from '../../../src/index.js';
import type { RampError, Widget } from '../../../src/protocol/index.js';
import { getSignedNames } from '../../../src/protocol/widget/widgetParameters.js';
import { useRampSettings } from '../../../src/react/provider/RampProvider.js';
import { CopyButton } from '../CopyButton.js';
import { resolveCheckoutTexts } from './checkoutTexts.js';
import { useSignedResponse } from './useSignedResponse.js';

interface SigningPanelProps {
  readonly widget: Widget;
  /** The props of the button in the story. */
  readonly props: object;
  /** The rendered button. */
  readonly children: ReactNode;
}

/** A button with its proposal, the signed text, and the URL that it opens. */
function SigningPanel({ widget, props, children }: SigningPanelProps) {
  const { signed, unsigned } = parameterNames[widget];
  const [signedParams, others] = pickParams(props, signed);
  const [unsignedParams, rest] = pickParams(others, unsigned);
  const options = useRampSettings<CheckoutOptions>({
    ...rest,
    widget,
    signedParams,
    unsignedParams,
  });
  const proposal = createProposal(options);
  const { signer, response, isCurrent } = useSignedResponse(proposal);
  const texts = resolveCheckoutTexts(options, response);
  return (
    <>
      <div className="signing-subject">
        <RampProvider signer={signer}>{children}</RampProvider>
      </div>
      <section className="signing" aria-label="How it is signed" aria-busy={!isCurrent} lang="en">
        <h2>The page proposes</h2>
        <p>
          The signed props, and the selection. The backend&apos;s policy decides which values are
          signed.
        </p>
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

function IssueList({ error: { code, message, issues } }: { readonly error: RampError }) {
  return (
    <>
      <h2>Refused</h2>
      <p>
        <code>{code}</code>. The backend refuses invalid signed parameters, and the widget the
        others.
      </p>
      <div role="status">
        <dl className="signing-issues">
          {(issues ?? [{ param: '', message }]).map((issue) => (
            <div key={`${issue.param} ${issue.message}`}>
              <dt>{issue.param || 'the checkout'}</dt>
              <dd>{issue.message}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}

interface JoinedTextProps {
  /** The kind of text, by which the tests find it. */
  readonly of: 'payload' | 'url';
  /** The text before the first item. */
  readonly start?: string;
  /** Items `name=value`, joined with `&`. */
  readonly text: string;
  readonly marked?: readonly string[];
}

/** Joined parameters, one per line. The line breaks are only visual: a copied text has none. */
function JoinedText({ of, start, text, marked = [] }: JoinedTextProps) {
  return (
    <code className="signing-text" data-text={of}>
      {start && <span className="signing-break">{start}</span>}
      {text.split('&').map((item, at) => {
        const [name = '', value] = item.split(/=(.*)/s);
        const Item = marked.includes(name) ? 'mark' : 'span';
        return (
          <Fragment key={name}>
            {at > 0 && <span className="signing-break signing-sign">&amp;</span>}
            <Item>
              <b>{name}</b>
              <span className="signing-sign">=</span>
              {value}
            </Item>
          </Fragment>
        );
      })}
    </code>
  );
}

/** Adds a panel below the button of a story. It shows the texts that result from the button's props. */
export const withSigningPanel =
  (widget: Widget): Decorator =>
  (Story, { args }) => (
    <SigningPanel widget={widget} props={args}>
      <Story />
    </SigningPanel>
  );
