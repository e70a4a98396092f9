import { type ReactNode, useEffect } from 'react';
import { type Locale, LocaleProvider } from './locale.js';

export type WidgetState = 'form' | 'paying' | 'finished' | 'refused';

interface WidgetPageProps {
  readonly words: Locale;
  readonly title: string;
  readonly widget: 'on-ramp' | 'nft';
  readonly state: WidgetState;
  /** The screen, or how far the order is. */
  readonly step: string;
  readonly children: ReactNode;
}

/** The page around every screen, in its language: the ribbon, and what tells a test where it is. */
export function WidgetPage({ words, title, widget, state, step, children }: WidgetPageProps) {
  const { lang, dir, t } = words;
  useEffect(() => {
    document.documentElement.lang = lang;
    document.documentElement.dir = dir;
    document.title = title;
  }, [lang, dir, title]);
  return (
    <LocaleProvider value={words}>
      <header className="ribbon">{t('sandbox')}</header>
      <main data-widget={widget} data-state={state} data-step={step}>
        {children}
      </main>
    </LocaleProvider>
  );
}
