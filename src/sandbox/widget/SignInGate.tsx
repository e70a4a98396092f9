import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PageData } from '../checkout/pageData.js';
import type { SignInClient } from './checkoutClient.js';
import { createLocale } from './locale.js';
import { Title, WidgetPage } from './WidgetPage.js';

interface SignInGateProps {
  readonly session: PageData;
  readonly client: SignInClient;
  readonly children: ReactNode;
}

type Access = 'unknown' | 'signed-in' | 'signed-out' | 'blocked';

/**
 * Shows the checkout once the service can read its own cookie. Browsers may block this cookie in a frame on another
 * site. The shopper then first has to press a button that requests storage access.
 */
export function SignInGate({ session, client, children }: SignInGateProps) {
  const locale = useMemo(() => createLocale(session.language), [session.language]);
  const { t } = locale;
  const [access, setAccess] = useState<Access>('unknown');
  useEffect(() => {
    let isGone = false;
    findAccess(client).then((found) => isGone || setAccess(found));
    return () => {
      isGone = true;
    };
  }, [client]);
  const hasClicked = useRef(false);
  useEffect(() => {
    // The focused button was removed. The new screen's heading takes the focus, as it does whenever the screen changes.
    if (hasClicked.current && access !== 'signed-out') document.querySelector('h1')?.focus();
  }, [access]);
  if (access === 'signed-in') return children;
  if (access === 'unknown') return null;

  const signIn = async () => {
    hasClicked.current = true;
    // Request storage access first: browsers grant it only as the direct result of a click.
    const isGranted = await document.requestStorageAccess().then(
      () => true,
      () => false,
    );
    setAccess(isGranted && (await client.signIn()) ? 'signed-in' : 'blocked');
  };
  return (
    <WidgetPage
      locale={locale}
      title={t('signIn')}
      widget={session.widget}
      state={access}
      step="sign-in"
      notices={[]}
    >
      <section>
        <Title takesFocus={false}>{t('signIn')}</Title>
        {access === 'blocked' ? (
          <p className="lead" role="alert">
            {t('openWindow')}
          </p>
        ) : (
          <>
            <p className="lead">{t('signInFirst')}</p>
            <button type="button" className="primary" onClick={signIn}>
              {t('signIn')}
            </button>
          </>
        )}
      </section>
    </WidgetPage>
  );
}

/**
 * Tries to sign in without a click. If that fails, returns whether the shopper can still grant storage access
 * (`signed-out`) or the browser denies it (`blocked`).
 */
async function findAccess(client: SignInClient): Promise<Access> {
  if (await client.signIn()) return 'signed-in';
  const name = 'storage-access' as PermissionName;
  const permission = await navigator.permissions.query({ name }).catch(() => undefined);
  return permission?.state === 'denied' ? 'blocked' : 'signed-out';
}
