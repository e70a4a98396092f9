import type { CodeNotice } from '../../checkout/offers/findCodeNotices.js';

/**
 * Tells the developer which codes of the URL were ignored. In English, like the page about a refused
 * URL: a hosted widget shows nothing here.
 */
export function CodeNotices({ notices }: { readonly notices: readonly CodeNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <aside className="notice" lang="en" dir="ltr" aria-label="Sandbox notice">
      {notices.map(({ param, code, meant }) => (
        <p key={`${param} ${code}`}>
          <b>{param}</b>: the code <b>{code}</b> is not known in this spelling, so it was ignored.
          {meant && (
            <>
              {' '}
              Codes are case-sensitive. Did you mean <b>{meant}</b>?
            </>
          )}
        </p>
      ))}
    </aside>
  );
}
