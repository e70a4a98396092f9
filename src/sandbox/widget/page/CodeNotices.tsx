import type { CodeNotice } from '../../checkout/offers.js';

/**
 * Shows the developer the ignored codes of the URL. It is in English, like the refusal page, because a
 * real hosted widget has no such notice.
 */
export function CodeNotices({ notices }: { readonly notices: readonly CodeNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <aside className="notice" lang="en" dir="ltr" aria-label="Sandbox notice">
      {notices.map(({ param, code, meant }) => (
        <p key={`${param} ${code}`}>
          <b>{param}</b>: the code <b>{code}</b> is unknown in this spelling, so it was ignored.
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
