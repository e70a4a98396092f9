import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { CatalogFiatCurrency } from '../catalog/fiatCurrencies.js';
import type { CodeNotice } from '../checkout/offers.js';
import { type Locale, LocaleProvider, useLocale } from './locale.js';

export type WidgetState = 'form' | 'paying' | 'finished' | 'refused' | 'signed-out' | 'blocked';

interface WidgetPageProps {
  readonly locale: Locale;
  readonly title: string;
  readonly widget: 'on-ramp' | 'nft';
  readonly state: WidgetState;
  /** The name of the current screen, or the progress of the order. */
  readonly step: string;
  readonly notices: readonly CodeNotice[];
  readonly children: ReactNode;
}

/** Renders what all screens share: the language of the document, the banner, and the attributes that tests read. */
export function WidgetPage({
  locale,
  title,
  widget,
  state,
  step,
  notices,
  children,
}: WidgetPageProps) {
  const { lang, dir, t } = locale;
  useEffect(() => {
    document.documentElement.lang = lang;
    document.documentElement.dir = dir;
    document.title = title;
  }, [lang, dir, title]);
  return (
    <LocaleProvider value={locale}>
      <header className="banner">{t('sandbox')}</header>
      <CodeNotices notices={notices} />
      <main data-widget={widget} data-state={state} data-step={step}>
        {children}
      </main>
    </LocaleProvider>
  );
}

/**
 * Shows the developer which codes of the URL were ignored. The notice is in English, like the refusal page, because
 * it is not for shoppers: a real hosted widget shows no such notice.
 */
function CodeNotices({ notices }: { readonly notices: readonly CodeNotice[] }) {
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

/**
 * Renders the heading of a screen. A new screen moves the focus to its heading, so that screen readers announce the
 * screen and Tab continues from the top. The first screen does not move the focus, because the shop's page decides
 * where the focus is.
 */
export function Title({
  children,
  takesFocus = true,
}: {
  children: string;
  takesFocus?: boolean | undefined;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Renders the button that returns to the previous screen. The arrow is mirrored in right-to-left languages. */
export function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useLocale();
  return (
    <button type="button" className="back" aria-label={t('back')} onClick={onClick}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M12.5 4 6.5 10l6 6" />
      </svg>
    </button>
  );
}

/** Tells the shopper that none of the URL's fiat currencies, or none of its cryptocurrencies, is available. */
export function OfferUnavailable({ fiats }: { fiats: readonly CatalogFiatCurrency[] }) {
  const { t } = useLocale();
  return (
    <section>
      <h1>{t('unavailable')}</h1>
      <p className="lead">{t(fiats.length === 0 ? 'fiatUnavailable' : 'cryptoUnavailable')}</p>
    </section>
  );
}
