import { useState } from 'react';
import { useLocale } from '../locale/Locale.js';
import { shortenMiddle } from '../locale/shortenMiddle.js';

/** A long text, shortened, with a button to copy the whole. Where copying is forbidden it is shown. */
export function CopyText({ text }: { text: string }) {
  const { t } = useLocale();
  const [state, setState] = useState<'short' | 'copied' | 'whole'>('short');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('whole'),
    );
  return (
    <>
      <bdi className="code" title={text} data-whole={state === 'whole' || undefined}>
        {state === 'whole' ? text : shortenMiddle(text)}
      </bdi>
      {state !== 'whole' && (
        <button type="button" className="link" onClick={copy}>
          {state === 'copied' ? t('copied') : t('copy')}
        </button>
      )}
    </>
  );
}
