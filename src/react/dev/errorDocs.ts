// Replaced with its value by the build, like parameterNames.ts: esbuild would put the address
// into the first load of a page, with the rest of this module.

import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';

/** The URL of the documentation of errors, before a code in lower case. */
export const errorDocs: string = getErrorDocsUrl('');
