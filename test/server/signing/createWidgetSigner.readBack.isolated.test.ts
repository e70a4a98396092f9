import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as widgetUrl from '../../../src/protocol/widget/buildWidgetUrl.js';
import { createWidgetSigner } from '../../../src/server/index.js';

vi.mock('../../../src/protocol/widget/buildWidgetUrl.js', { spy: true });

const signer = createWidgetSigner({ partnerId: 'p1', secretKey: 's' });
const sign = () => signer.sign('on-ramp', { walletAddress: '0x1' });

/** Changes the next built URL, so that it differs from the signed text. No parameters could cause that. */
const change = (from: RegExp, to: string) => {
  const { buildWidgetQuery } = widgetUrl;
  const query = vi.mocked(buildWidgetQuery).getMockImplementation() ?? (() => '');
  vi.mocked(buildWidgetQuery).mockImplementationOnce((params) => query(params).replace(from, to));
};

describe('createWidgetSigner', () => {
  beforeEach(async () => {
    const actual = await vi.importActual<typeof widgetUrl>(
      '../../../src/protocol/widget/buildWidgetUrl.js',
    );
    vi.mocked(widgetUrl.buildWidgetQuery).mockImplementation(actual.buildWidgetQuery);
  });

  it.each([
    ['another wallet', /0x1/, '0x2'],
    ['no wallet', /&?walletAddress=0x1/, ''],
    ['another signature', /signature=/, 'signature=x'],
    ['no signature', /&?signature=[^&]*/, ''],
  ])('throws if the URL parses back with %s', (_, from, to) => {
    change(from, to);
    expect(sign).toThrow(
      expect.objectContaining({
        code: 'ERR_PARAMS_INVALID',
        message: expect.stringMatching(
          /^The widget URL does not parse back .* names of your parameters\.$/,
        ),
      }),
    );
    expect(sign).not.toThrow();
  });
});
