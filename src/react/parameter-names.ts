// The build ships these constants as their values (see vite.config.ts), so that the table with its
// descriptions stays out of the browser.

import { parametersOf } from '../protocol/parametersOf.js';
import type { Widget, WidgetParameter } from '../protocol/widget-parameter.js';

const names = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  parametersOf(widget)
    .filter((row) => !row.managed && test(row))
    .map((row) => row.name);

const isProposed = (row: WidgetParameter) => row.signed === 'premium' && row.name !== 'partnerId';

/** The on-ramp parameters that a page proposes to its signer. */
export const onRampSigned = names('on-ramp', isProposed);

/** The on-ramp parameters that are merged in the browser, at opening. */
export const onRampUnsigned = names('on-ramp', (row) => !isProposed(row));

/** The same of NFT checkout. */
export const nftSigned = names('nft', isProposed);
export const nftUnsigned = names('nft', (row) => !isProposed(row));
