// Replaced with its value by the build, like parameterNames.ts: esbuild would move a module that RampError imports too
// into the first load of a page.

import { getErrorDocsUrl } from '../../protocol/errors/RampError.js';

/** The URL of the documentation of errors, before a code in lower case. */
export const errorDocs: string = getErrorDocsUrl('');
