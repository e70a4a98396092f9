import { PassThrough, Readable } from 'node:stream';
import { renderToPipeableStream, renderToReadableStream } from 'react-dom/server';
import { Shop, type ShopSettings } from './Shop.js';

/** Parts of a page that suspend until the test releases them. */
export interface DeferredParts {
  /** Suspends the part: throws a promise until the part is released. */
  wait(part: string): void;
  release(part: string): void;
}

export function createDeferredParts(): DeferredParts {
  const parts = new Map<string, { isThere: boolean; coming: Promise<void>; come: () => void }>();
  const partOf = (name: string) => {
    const part = { isThere: false, coming: Promise.resolve(), come: () => {} };
    part.coming = new Promise((resolve) => {
      part.come = resolve;
    });
    const found = parts.get(name) ?? part;
    parts.set(name, found);
    return found;
  };
  return {
    wait(name) {
      const { isThere, coming } = partOf(name);
      if (!isThere) throw coming;
    },
    release(name) {
      const part = partOf(name);
      part.isThere = true;
      part.come();
    },
  };
}

/** Streams the page. Uses a web stream if this version of React supports web streams in Node.js. */
export async function streamShop(
  settings: ShopSettings,
  { wait }: DeferredParts,
  onError: (error: unknown) => void,
): Promise<ReadableStream> {
  const page = <Shop {...settings} wait={wait} />;
  const options = {
    bootstrapScripts: ['/browser.js'],
    // React 18.0 escapes quotes and ampersands in a script, so use none.
    bootstrapScriptContent: `shopSettings = JSON.parse(decodeURIComponent(\`${encodeURIComponent(JSON.stringify(settings))}\`))`,
    onError,
  };
  if (renderToReadableStream) return renderToReadableStream(page, options);
  const out = new PassThrough();
  renderToPipeableStream(page, options).pipe(out);
  return Readable.toWeb(out) as ReadableStream;
}
