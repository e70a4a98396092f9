import { type ReactNode, useEffect } from 'react';
import type { CodeNotice } from '../../checkout/offers.js';
import { type Locale, LocaleProvider } from '../locale/Locale.js';
import { CodeNotices } from './CodeNotices.js';

export type WidgetState = 'form' | 'paying' | 'finished' | 'refused' | 'signed-out' | 'blocked';

interface WidgetPageProps {
  readonly words: Locale;
  readonly title: string;
  readonly widget: 'on-ramp' | 'nft';
  readonly state: WidgetState;
  /** The screen, or the progress of the order. */
  readonly step: string;
  readonly notices: readonly CodeNotice[];
  readonly children: ReactNode;
}

/** Renders the page around every screen: language, banner, and the attributes that tests read. */
export function WidgetPage({
  words,
  title,
  widget,
  state,
  step,
  notices,
  children,
}: WidgetPageProps) {
  const { lang, dir, t } = words;
  useEffect(() => {
    document.documentElement.lang = lang;
    document.documentElement.dir = dir;
    document.title = title;
  }, [lang, dir, title]);
  return (
    <LocaleProvider value={words}>
      <header className="banner">{t('sandbox')}</header>
      <CodeNotices notices={notices} />
      <main data-widget={widget} data-state={state} data-step={step}>
        {children}
      </main>
    </LocaleProvider>
  );
}
