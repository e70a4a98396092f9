// The build replaces these constants with their values (see vite.config.ts), so that the parameter table and its
// descriptions are not in the browser bundle.

import type { Widget, WidgetParameter } from '../../protocol/widget/widgetParameters.js';
import { getWidgetParameters } from '../../protocol/widget/widgetParameters.js';

/** Returns the names as one text, separated by spaces, which compresses better than an array. */
const listNames = (widget: Widget, test: (row: WidgetParameter) => boolean): string =>
  getWidgetParameters(widget)
    .filter((row) => !row.managed && test(row))
    .map((row) => row.name)
    .join(' ');

const isProposed = (row: WidgetParameter) => row.signed === 'premium' && row.name !== 'partnerId';

/** The on-ramp parameters that a page proposes to its signer. */
export const onRampSigned = listNames('on-ramp', isProposed);

/** The on-ramp parameters that the browser adds to the URL itself. */
export const onRampUnsigned = listNames('on-ramp', (row) => !isProposed(row));

/** The NFT parameters that a page proposes to its signer. */
export const nftSigned = listNames('nft', isProposed);
/** The NFT parameters that the browser adds to the URL itself. */
export const nftUnsigned = listNames('nft', (row) => !isProposed(row));
