import { useState } from 'react';
import { useLocale } from '../locale/Locale.js';
import { shortenMiddle } from '../locale/shortenMiddle.js';

/** Shows a shortened text with a button that copies it in full. If copying is not allowed, it shows the full text. */
export function CopyText({ text }: { text: string }) {
  const { t } = useLocale();
  const [state, setState] = useState<'short' | 'copied' | 'expanded'>('short');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('expanded'),
    );
  return (
    <>
      <bdi className="code" title={text} data-expanded={state === 'expanded' || undefined}>
        {state === 'expanded' ? text : shortenMiddle(text)}
      </bdi>
      {state !== 'expanded' && (
        <button type="button" className="text-button" onClick={copy}>
          {state === 'copied' ? t('copied') : t('copy')}
        </button>
      )}
    </>
  );
}
