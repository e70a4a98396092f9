// @vitest-environment node
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ReactNode, StrictMode, Suspense } from 'react';
import { renderToPipeableStream, renderToReadableStream, renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CheckoutStatus,
  NftCard,
  NftCheckout,
  OnRampButton,
  QuotePreview,
  RampProvider,
} from '../../src/index.js';
import { messages as german } from '../../src/messages/de.js';

/** Creates a component that suspends for 20 ms at its first render, as if it waited for a database. */
const lateness = () => {
  let there = false;
  let coming: Promise<void> | undefined;
  return function Late({ children }: { children: ReactNode }) {
    if (there) return children;
    coming ??= new Promise((done) => setTimeout(done, 20)).then(() => {
      there = true;
    });
    throw coming;
  };
};

const content = (
  <>
    <NftCard name="Survey" price="1234.5" currency="ETH" />
    <QuotePreview defaultValue={{ amount: '100' }} locale="de">
      <OnRampButton display="inline" />
    </QuotePreview>
    <CheckoutStatus reference="r1" locale="de" />
    <CheckoutStatus reference={undefined} />
    <CheckoutStatus />
  </>
);
const page = (late?: ReactNode) => (
  <StrictMode>
    <RampProvider widgetUrl="https://pay.example" api="/api/ramp" language="de" messages={german}>
      <main>
        <OnRampButton amount="100" />
        <NftCheckout type="MINT" mintQuantity={2} />
        {late ?? content}
      </main>
    </RampProvider>
  </StrictMode>
);
const streamed = () => {
  const Late = lateness();
  return page(
    <Suspense fallback={<p>Soon</p>}>
      <Late>{content}</Late>
    </Suspense>,
  );
};

const nonce = 'page';
const ways: Readonly<Record<string, () => string | Promise<string>>> = {
  renderToString: () => renderToString(page()),
  renderToPipeableStream: () =>
    text(renderToPipeableStream(streamed(), { nonce }).pipe(new PassThrough())),
  renderToReadableStream: async () => text(await renderToReadableStream(streamed(), { nonce })),
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(ways))('the components on a server, by %s', (way, render) => {
  it('render without a window, a document or console output', async () => {
    const printed = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
    expect(typeof window + typeof document).toBe('undefinedundefined');
    const html = await render();
    expect(html.includes('Soon')).toBe(way !== 'renderToString');
    expect(html.match(/>Krypto kaufen<\/button>/g)).toHaveLength(2);
    expect(html).toContain('NFT kaufen</button>');
    expect(html).toMatch(/Für 1\.234,5\sETH kaufen<\/button>/);
    expect(html).toContain('ramp-quote-skeleton');
    expect(html).toContain('ramp-status-skeleton');
    expect(html).toContain('Ihre Bestellung wird geladen…');
    expect(html).toMatch(/<div [^>]*hidden=""[^>]*data-state="idle"/);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it('contain no inline style or script, which a strict Content-Security-Policy would block', async () => {
    const html = await render();
    // Removes React's own scripts, which move late parts into place. A policy allows them by the page's nonce.
    const ours = html.replace(/<script nonce="page".*?<\/script>/gs, '');
    expect(ours).toContain('ramp-button');
    expect(ours).not.toMatch(/\sstyle=|\son[a-z]+=|<script|<style/);
  });
});

it('the components leave no timer on a server', () => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  renderToString(page());
  expect(timer).not.toHaveBeenCalled();
});
