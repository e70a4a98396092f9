// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { OnRampButton, QuotePreview, RampProvider } from '../../../src/index.js';

describe('<QuotePreview /> on a server', () => {
  const html = renderToString(
    <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
      <QuotePreview defaultValue={{ amount: '100' }}>
        <OnRampButton />
      </QuotePreview>
    </RampProvider>,
  );

  it('renders its skeleton without a window or a document', () => {
    expect(typeof window).toBe('undefined');
    expect(html).toContain('data-state="loading"');
    expect(html).toContain('aria-busy="true"');
    expect(html).toContain('ramp-quote-skeleton');
    expect(html).toContain('Buy crypto</button>');
  });

  it('has no inline style, which a strict Content-Security-Policy would block', () => {
    expect(html).not.toContain('style=');
    expect(html).not.toContain('<script');
  });
});
