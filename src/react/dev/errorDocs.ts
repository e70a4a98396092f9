// The build replaces this constant with its value, like those in parameterNames.ts. Otherwise esbuild would add
// getErrorDocsUrl(), which lazy code needs too, to the files that a page with a card loads at start: 145 bytes after
// gzip.

import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';

/** The base URL of the error documentation. Append an error code in lower case. */
export const errorDocs: string = getErrorDocsUrl('');
