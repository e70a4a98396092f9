// The build ships these constants as their values (see vite.config.ts), so that the table with its
// descriptions stays out of the browser.

import { getWidgetParameters } from '../../protocol/widget/getWidgetParameters.js';
import type { Widget, WidgetParameter } from '../../protocol/widget/WidgetParameter.js';

const listNames = (widget: Widget, test: (row: WidgetParameter) => boolean): readonly string[] =>
  getWidgetParameters(widget)
    .filter((row) => !row.managed && test(row))
    .map((row) => row.name);

const isProposed = (row: WidgetParameter) => row.signed === 'premium' && row.name !== 'partnerId';

/** The on-ramp parameters that a page proposes to its signer. */
export const onRampSigned = listNames('on-ramp', isProposed);

/** The on-ramp parameters that are merged in the browser, at opening. */
export const onRampUnsigned = listNames('on-ramp', (row) => !isProposed(row));

/** The same of NFT checkout. */
export const nftSigned = listNames('nft', isProposed);
export const nftUnsigned = listNames('nft', (row) => !isProposed(row));
