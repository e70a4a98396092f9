import type { Meta, StoryObj } from '@storybook/react-vite';
import type { CSSProperties } from 'react';
import { expect } from 'storybook/test';
import { CheckoutStatus, NftCard, OnRampButton, QuotePreview } from '../src/index.js';
import { onRampCheckout, reference, serveStates } from './support/checkoutBackend.js';
import { twoHills } from './support/twoHills.js';

/** The custom properties that a shop would set in its stylesheet. */
type Theme = CSSProperties & Readonly<Record<`--ramp-${string}`, string>>;

const themes: Readonly<Record<string, Theme>> = {
  Default: {},
  Violet: {
    '--ramp-accent': 'light-dark(#6d28d9, #c4b5fd)',
    '--ramp-accent-text': 'light-dark(#fff, #1e1b4b)',
    '--ramp-surface': 'light-dark(#faf8ff, #1a1626)',
    '--ramp-surface-raised': 'light-dark(#f1ecfd, #251f36)',
    '--ramp-radius': '20px',
    '--ramp-radius-control': '999px',
  },
  Ledger: {
    '--ramp-accent': 'light-dark(#111, #f5f5f5)',
    '--ramp-accent-text': 'light-dark(#fff, #111)',
    '--ramp-surface': 'light-dark(#fff, #0c0c0c)',
    '--ramp-radius': '0',
    '--ramp-radius-control': '0',
    '--ramp-font': 'ui-monospace, monospace',
  },
  Terracotta: {
    '--ramp-accent': 'light-dark(#a13d1d, #f2a488)',
    '--ramp-accent-text': 'light-dark(#fff, #35120a)',
    '--ramp-surface': 'light-dark(#fffaf3, #211a16)',
    '--ramp-surface-raised': 'light-dark(#f6ece0, #2e2520)',
    '--ramp-font': 'Georgia, serif',
  },
};

const meta = {
  title: 'Components/Themes',
  parameters: { controls: { disable: true } },
  beforeEach: ({ msw }) => msw.use(serveStates(onRampCheckout('unconfirmed'))),
  render: () => (
    <div className="theme-samples">
      {Object.entries(themes).map(([name, theme]) => (
        <section key={name} style={theme} aria-label={name}>
          <h2>{name}</h2>
          <QuotePreview defaultValue={{ amount: '100' }}>
            <OnRampButton>Top up</OnRampButton>
          </QuotePreview>
          <CheckoutStatus reference={reference} />
          <NftCard
            name="Two Hills, Evening"
            collection="Fieldnotes"
            image={twoHills}
            price="0.05"
            currency="ETH"
            fiatPrice="≈ 148.80 EUR"
            maxQuantity={5}
            button={{ merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: 1 }}
          />
        </section>
      ))}
    </div>
  ),
} satisfies Meta;

export default meta;

/** The same components under four sets of custom properties. */
export const FourShops: StoryObj<typeof meta> = {
  async play({ canvas }) {
    const looks = (await canvas.findAllByRole('button', { name: 'Top up' })).map(
      (button) => getComputedStyle(button).backgroundColor,
    );
    await expect(new Set(looks).size).toBe(Object.keys(themes).length);
    await expect(await canvas.findAllByRole('article')).toHaveLength(looks.length);
  },
};
