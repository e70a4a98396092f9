// Replaced with its value by the build, like parameterNames.ts: RampError imports the function too, so esbuild would add
// it to the first load of a page with a card, 145 bytes after gzip.

import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';

/** The URL of the documentation of errors, before a code in lower case. */
export const errorDocs: string = getErrorDocsUrl('');
