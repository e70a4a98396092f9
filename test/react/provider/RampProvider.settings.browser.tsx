import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type OnRampButton as Button,
  CheckoutHistory,
  CheckoutStatus,
  OnRampButton,
  RampProvider,
  type RampProviderProps,
  useRamp,
} from '../../../src/index.js';
import {
  button,
  dialog,
  frameParams,
  waitForDialog,
  widgetUrl,
} from '../../support/browser/onRampButtonPage.js';
import { createCheckoutResponse, createPollResponse } from '../../support/browser/statusBackend.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Replaces `fetch` with backends that sign each checkout and report it as waiting. Returns their requests. */
function answerAll() {
  const requests: { url: URL; init: RequestInit }[] = [];
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init = {}) => {
    const url = new URL(`${input}`, location.origin);
    requests.push({ url, init });
    if (url.pathname.endsWith('/opened')) return new Response(null, { status: 204 });
    const signed = { reference: 'r1', isListed: true, params: { signature: 's' } };
    if (init.method === 'POST') return Response.json(signed);
    return Response.json(createPollResponse(createCheckoutResponse()));
  });
  return requests;
}

const click = () => act(() => button().click());

describe('a component with an api of its own', () => {
  const shop: RampProviderProps = {
    widgetUrl,
    api: '/api/ramp',
    credentials: 'include',
    headers: { Authorization: 'Bearer shop-token' },
  };
  const other = 'https://other.example/ramp';
  const cases: readonly [string, (api: string) => ReactElement][] = [
    ['OnRampButton', (api) => <OnRampButton api={api} />],
    ['CheckoutStatus', (api) => <CheckoutStatus api={api} reference="r1" />],
    ['CheckoutHistory', (api) => <CheckoutHistory api={api} />],
    [
      'a nested provider',
      (api) => (
        <RampProvider api={api}>
          <OnRampButton />
        </RampProvider>
      ),
    ],
  ];

  it.each(cases)('sends it no headers and cookies of the provider: %s', async (_, create) => {
    const requests = answerAll();
    render(<RampProvider {...shop}>{create(other)}</RampProvider>);
    if (screen.queryByRole('button', { name: 'Buy crypto' })) click();
    await waitFor(() => expect(requests).not.toEqual([]));
    const [{ url, init }] = requests as [(typeof requests)[0]];
    expect(url.host).toBe('other.example');
    expect(new Headers(init.headers).get('Authorization')).toBeNull();
    expect(init.credentials).toBeUndefined();
  });

  it.each(cases)('keeps them if it is the api of the provider: %s', async (_, create) => {
    const requests = answerAll();
    render(<RampProvider {...shop}>{create('/api/ramp/')}</RampProvider>);
    if (screen.queryByRole('button', { name: 'Buy crypto' })) click();
    await waitFor(() => expect(requests).not.toEqual([]));
    const [{ init }] = requests as [(typeof requests)[0]];
    expect(new Headers(init.headers).get('Authorization')).toBe('Bearer shop-token');
    expect(init.credentials).toBe('include');
  });

  it('does not use the fetch of the provider', async () => {
    const requests = answerAll();
    const fetchOfShop = vi.fn();
    render(
      <RampProvider {...shop} fetch={fetchOfShop}>
        <CheckoutStatus api={other} reference="r1" />
      </RampProvider>,
    );
    await waitFor(() => expect(requests).not.toEqual([]));
    expect(fetchOfShop).not.toHaveBeenCalled();
  });
});

describe('callbacks of a component and of its providers', () => {
  it('onEvent all run, those of the component first', async () => {
    answerAll();
    const calls: string[] = [];
    const failing = vi.spyOn(window, 'reportError').mockImplementation(() => {});
    render(
      <RampProvider onEvent={({ type }) => calls.push(`shop ${type}`)}>
        <RampProvider
          widgetUrl={widgetUrl}
          api="/api/ramp"
          onEvent={({ type }) => calls.push(`page ${type}`)}
        >
          <OnRampButton
            onEvent={({ type }) => {
              calls.push(`button ${type}`);
              throw new Error('of the button');
            }}
          />
        </RampProvider>
      </RampProvider>,
    );
    click();
    await waitForDialog();
    await waitFor(() => expect(calls).toContain('shop opened'));
    expect(calls.slice(0, 3)).toEqual(['button opened', 'page opened', 'shop opened']);
    expect(failing).toHaveBeenCalled();
  });

  it('onStatusChange both run', async () => {
    answerAll();
    const calls: string[] = [];
    render(
      <RampProvider
        widgetUrl={widgetUrl}
        api="/api/ramp"
        onStatusChange={({ progress }) => calls.push(`shop ${progress}`)}
      >
        <OnRampButton onStatusChange={({ progress }) => calls.push(`button ${progress}`)} />
      </RampProvider>,
    );
    click();
    await waitFor(() => expect(calls).toEqual(['button waiting', 'shop waiting']));
  });
});

describe('extraParams of a provider', () => {
  it('are added to the URL of the widget, and one of the button wins', async () => {
    answerAll();
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp" extraParams={{ shop: 's', theme: 't' }}>
        <OnRampButton extraParams={{ theme: 'own' }} />
      </RampProvider>,
    );
    click();
    await waitForDialog();
    expect(frameParams()).toMatchObject({ shop: 's', theme: 'own' });
  });

  it('are added when a card continues a checkout', async () => {
    answerAll();
    render(
      <RampProvider widgetUrl={widgetUrl} api="/api/ramp" extraParams={{ shop: 's' }}>
        <CheckoutStatus reference="r1" />
      </RampProvider>,
    );
    const more = await screen.findByRole('button', { name: 'Continue checkout' });
    act(() => more.click());
    await waitForDialog();
    expect(frameParams()).toMatchObject({ shop: 's', signature: 's' });
  });
});

describe('a render of RampProvider', () => {
  const settings: RampProviderProps = { widgetUrl, api: '/api/ramp', onEvent() {} };
  let renders = 0;
  const renderButton: NonNullable<Parameters<typeof Button>[0]['render']> = (props) => {
    renders++;
    return <button {...props} type="button" />;
  };
  const children = <OnRampButton render={renderButton} />;

  it('does not render the components below it if no setting has changed', async () => {
    const Page = ({ outer }: { outer: RampProviderProps }) => (
      <RampProvider {...outer}>
        <RampProvider language="de">{children}</RampProvider>
      </RampProvider>
    );
    const { rerender } = render(<Page outer={settings} />);
    const before = renders;
    for (let i = 0; i < 10; i++) rerender(<Page outer={{ ...settings }} />);
    expect(renders).toBe(before);
    rerender(<Page outer={{ ...settings, api: '/api/other' }} />);
    expect(renders).toBeGreaterThan(before);
  });
});

describe('useRamp', () => {
  it('returns the settings of the nearest provider, without what may hold a secret', () => {
    let seen: ReturnType<typeof useRamp> | undefined;
    const changes = new Set<unknown>();
    let rerenderPage = () => {};
    const Page = () => {
      const [, setCount] = useState(0);
      rerenderPage = () => setCount((count) => count + 1);
      seen = useRamp();
      changes.add(seen);
      return null;
    };
    render(
      <RampProvider widgetUrl={widgetUrl} language="de" headers={{ Authorization: 'Bearer t' }}>
        <RampProvider api="/api/ramp/" language="fr" fetch={vi.fn()} signer={vi.fn()}>
          <Page />
        </RampProvider>
      </RampProvider>,
    );
    act(() => rerenderPage());
    expect(seen).toEqual({ widgetUrl, api: '/api/ramp', language: 'fr' });
    expect(changes.size).toBe(1);
  });

  it('returns an empty object without a provider', () => {
    const Page = () => <output>{JSON.stringify(useRamp())}</output>;
    render(<Page />);
    expect(screen.getByRole('status').textContent).toBe('{}');
    expect(dialog()).toBeNull();
  });
});
