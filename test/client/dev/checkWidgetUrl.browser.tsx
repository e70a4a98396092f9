import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkWidgetUrl } from '../../../src/client/dev/checkWidgetUrl.js';

afterEach(() => vi.restoreAllMocks());

function page(respond: () => Promise<Response>) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const fetched = vi.spyOn(window, 'fetch').mockImplementation(respond);
  return { warn, fetched };
}

const refused = () => Promise.reject(new TypeError('Failed to fetch'));

describe('checkWidgetUrl', () => {
  it('warns once for each loopback address without a server', async () => {
    const { warn, fetched } = page(refused);
    await Promise.all([1, 2].map(() => checkWidgetUrl('http://127.0.0.1:59001/')));
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toContain('No server responds at http://127.0.0.1:59001,');
    await checkWidgetUrl('http://localhost:59001');
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('sends no credentials, and does not open a widget', async () => {
    const { fetched, warn } = page(async () => new Response());
    await checkWidgetUrl('http://127.0.0.1:59002');
    expect(fetched).toHaveBeenCalledExactlyOnceWith('http://127.0.0.1:59002/health', {
      method: 'HEAD',
      mode: 'no-cors',
      credentials: 'omit',
    });
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    'https://pay.example',
    'http://pay.example',
    'https://127.0.0.1:59003',
    location.origin,
    'pay.example',
    '',
  ])('sends no request for %o', async (widgetUrl) => {
    const { fetched } = page(refused);
    await checkWidgetUrl(widgetUrl);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('does not warn when the policy of the page refuses the request', async () => {
    const { warn } = page(async () => {
      document.dispatchEvent(new Event('securitypolicyviolation'));
      return refused();
    });
    await checkWidgetUrl('http://127.0.0.1:59004');
    expect(warn).not.toHaveBeenCalled();
  });
});
