import { createMistake, type Mistake } from './Mistake.js';

/** Mistakes that make a build, or a page of a development server, fail. */
export const buildMistakes: readonly Mistake[] = [
  createMistake(
    37,
    "A page imports the server, in Vite's development server",
    'console of the page',
    'Error: @partner-ramp/react/server and /sandbox hold secret keys and run in a backend only, never in a page. Move this import to backend code. A Jest test of a backend begins with /** @jest-environment node */.',
  ),
  createMistake(
    38,
    'A page imports the server, in webpack',
    'build log',
    "ERROR in ./page.js 2:18-36\nexport 'createWidgetSigner' (imported as 'createWidgetSigner') was not found in '@partner-ramp/react/server' (module has no exports)\n\nERROR in ../../node_modules/@partner-ramp/react/dist/server/server-only.js 1:0-145\nModule not found: Error: Can't resolve './@partner-ramp/react/server and /sandbox hold secret keys and run in a backend only, never in a page. Move this import to backend code' in '{folder}'",
  ),
];
