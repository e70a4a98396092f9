import { useCallback, useEffect, useState } from 'react';

export type Account = 'a' | 'b';

/** Who is signed in. */
export type Session =
  | { readonly signedIn: true; readonly name: string; readonly wallet: string }
  | { readonly signedIn: false };

export interface Shop {
  /** `undefined` until the server has answered. */
  readonly widgetUrl: string | undefined;
  /** `undefined` until the server has answered. */
  readonly session: Session | undefined;
  /** The shop's own server could not be reached. */
  readonly unreachable: boolean;
  readonly signIn: (account: Account) => void;
  readonly signOut: () => void;
}

/** What the page knows from its own server: where the checkout is, and who is signed in. */
export function useShop(): Shop {
  const [widgetUrl, setWidgetUrl] = useState<string>();
  const [session, setSession] = useState<Session>();
  const [unreachable, setUnreachable] = useState(false);

  const changeSession = useCallback((request?: RequestInit) => {
    ask<Session>('/api/session', request).then(
      (answer) => {
        setSession(answer);
        setUnreachable(false);
      },
      () => setUnreachable(true),
    );
  }, []);

  useEffect(() => {
    changeSession();
    ask<{ widgetUrl: string }>('/config.json').then(
      (config) => setWidgetUrl(config.widgetUrl),
      () => setUnreachable(true),
    );
  }, [changeSession]);

  return {
    widgetUrl,
    session,
    unreachable,
    signIn: (account) =>
      changeSession({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ account }),
      }),
    signOut: () => changeSession({ method: 'DELETE' }),
  };
}

async function ask<T>(url: string, request?: RequestInit): Promise<T> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
