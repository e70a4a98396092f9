// The build replaces this constant with its value, like those in parameterNames.ts. Without that, esbuild would put
// getErrorDocsUrl() into the files that a page with a card loads at start, because lazy code needs it too: 145 bytes
// after gzip.

import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';

/** The base URL of the error documentation. Append an error code in lower case. */
export const errorDocs: string = getErrorDocsUrl('');
