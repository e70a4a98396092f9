// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { OnRampButton, RampProvider } from '../../src/index.js';

describe('<OnRampButton /> on a server', () => {
  it('renders its button without a window or a document', () => {
    expect(typeof window).toBe('undefined');
    const html = renderToString(
      <RampProvider widgetUrl="https://pay.example" api="/api/ramp">
        <OnRampButton amount="100">Buy crypto</OnRampButton>
      </RampProvider>,
    );
    expect(html).toContain('Buy crypto</button>');
    expect(html).toContain('data-state="idle"');
  });
});
