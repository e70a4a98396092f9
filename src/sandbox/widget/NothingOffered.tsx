import type { SessionData } from '../session-data.js';
import { useLocale } from './locale.js';

/** The URL names no currency that is on offer. */
export function NothingOffered({ session }: { session: SessionData }) {
  const { t } = useLocale();
  return (
    <section>
      <h1>{t('nothing')}</h1>
      <p className="lead">{t(session.fiats.length === 0 ? 'nothingFiat' : 'nothingCrypto')}</p>
    </section>
  );
}
