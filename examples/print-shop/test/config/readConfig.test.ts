import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/readConfig.js';

const complete = {
  RAMP_WIDGET_URL: 'https://pay.example/',
  RAMP_API_URL: 'https://api.example/',
  RAMP_PARTNER_ID: 'partner-1',
  RAMP_SECRET_KEY: 'canary-secret-key',
  RAMP_API_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nMIIcanary\n-----END PRIVATE KEY-----',
  RAMP_WEBHOOK_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\\nMIIpublic\n-----END PUBLIC KEY-----',
  RAMP_WEBHOOK_URL: 'https://shop.example/api/ramp/webhook',
  SESSION_SECRET: 'canary-session-secret-0123456789',
  SHOP_ORIGIN: 'https://shop.example, http://127.0.0.1:4000',
};

function linesFor(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('reads a complete environment, and fills in defaults', () => {
    expect(readConfig(complete)).toEqual({
      host: '127.0.0.1',
      port: 4000,
      trustProxy: 0,
      widgetUrl: 'https://pay.example',
      apiUrl: 'https://api.example',
      partnerId: 'partner-1',
      secretKey: 'canary-secret-key',
      apiPrivateKey: '-----BEGIN PRIVATE KEY-----\nMIIcanary\n-----END PRIVATE KEY-----',
      webhookPublicKey: '-----BEGIN PUBLIC KEY-----\nMIIpublic\n-----END PUBLIC KEY-----',
      webhookUrl: 'https://shop.example/api/ramp/webhook',
      pollSeconds: 60,
      databaseFile: expect.stringMatching(/[/\\]data[/\\]orders\.db$/),
      databaseUrl: undefined,
      operatorPassword: undefined,
      sessionSecret: 'canary-session-secret-0123456789',
      shopOrigins: ['https://shop.example', 'http://127.0.0.1:4000'],
      logLevel: 'info',
    });
  });

  it('names every missing variable, one per line', () => {
    expect(linesFor({}).map((line) => line.split(' ', 3).join(' '))).toEqual(
      Object.keys(complete).map((name) => `${name} is missing:`),
    );
  });

  it('treats an empty variable as missing', () => {
    expect(linesFor({ ...complete, RAMP_SECRET_KEY: '' })).toEqual([
      expect.stringMatching(/^RAMP_SECRET_KEY is missing/),
    ]);
  });

  it.each([
    ['HOST', 'canary host'],
    ['PORT', 'canary'],
    ['PORT', '70000'],
    ['PORT', '4000canary'],
    ['TRUST_PROXY', 'true'],
    ['RAMP_WIDGET_URL', 'http://canary.example'],
    ['RAMP_WIDGET_URL', 'javascript:canary'],
    ['RAMP_WIDGET_URL', 'https://pay.example/?canary'],
    ['RAMP_API_URL', 'http://canary.example'],
    ['RAMP_API_PRIVATE_KEY', 'canary'],
    ['RAMP_PARTNER_ID', 'canary & co'],
    ['RAMP_SECRET_KEY', ' canary '],
    ['RAMP_WEBHOOK_PUBLIC_KEY', 'canary'],
    ['RAMP_WEBHOOK_PUBLIC_KEY', '-----BEGIN PRIVATE KEY-----canary'],
    ['RAMP_WEBHOOK_URL', 'http://canary.example/api/ramp/webhook'],
    ['RAMP_WEBHOOK_URL', 'https://canary.example/'],
    ['RAMP_WEBHOOK_URL', 'https://canary.example/?x=/api/ramp/webhook'],
    ['RAMP_POLL_SECONDS', '0'],
    ['RAMP_POLL_SECONDS', '601'],
    ['DATABASE_URL', 'mysql://canary@db.example/shop'],
    ['OPERATOR_PASSWORD', 'canary'],
    ['SESSION_SECRET', 'canary'],
    ['SHOP_ORIGIN', 'https://canary.example/'],
    ['SHOP_ORIGIN', '*'],
    ['SHOP_ORIGIN', 'null'],
    ['LOG_LEVEL', 'canary'],
  ])('refuses %s=%s by name, without its value', (name, value) => {
    const lines = linesFor({ ...complete, [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} must .+\\.$`))]);
    expect(lines.join().replace('true', '')).not.toContain('canary');
  });

  it('finds a key with any notation of line breaks, and without its BEGIN and END lines', () => {
    for (const copy of ['-----BEGIN PRIVATE KEY-----\nMIIcan\nary', 'MIIcanary', 'MIIcan\\nary'])
      expect(linesFor({ ...complete, REACT_APP_KEY: copy })).toEqual([
        expect.stringMatching(/^REACT_APP_KEY holds the value of RAMP_API_PRIVATE_KEY/),
      ]);
  });

  it.each(['VITE_KEY', 'NEXT_PUBLIC_RAMP'])(
    'refuses a secret in %s, without showing it',
    (name) => {
      const secrets = {
        RAMP_SECRET_KEY: complete.RAMP_SECRET_KEY,
        RAMP_API_PRIVATE_KEY: complete.RAMP_API_PRIVATE_KEY,
        SESSION_SECRET: complete.SESSION_SECRET,
        DATABASE_URL: 'postgres://shop:canary-password@db.example/shop',
        OPERATOR_PASSWORD: 'canary-operator-password',
      };
      for (const secret of Object.values(secrets)) {
        const lines = linesFor({ ...complete, ...secrets, [name]: `prefix-${secret}` });
        expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} holds the value of`))]);
        expect(lines.join()).not.toContain(secret);
      }
    },
  );

  it('reports exposed secrets together with other invalid variables', () => {
    expect(
      linesFor({ RAMP_SECRET_KEY: 'canary-key', VITE_KEY: 'canary-key' }).join('\n'),
    ).toContain('VITE_KEY holds the value of RAMP_SECRET_KEY');
  });
});
