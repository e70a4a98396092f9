import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { php } from './php.js';
import { runCommand } from './runCommand.js';

interface SignedBody {
  readonly name: string;
  readonly body: string;
  readonly text: string;
  readonly valid: boolean;
}

const { signedBody } = JSON.parse(readFileSync('docs/signing-vectors.json', 'utf8'));
const [, line = ''] =
  /^```php\n(.*preg_replace.*)\n```/m.exec(readFileSync('docs/signing.md', 'utf8')) ?? [];

/** Decodes a JSON text by running the PHP line that docs/signing.md recommends. */
async function decode(body: string): Promise<Record<string, unknown>> {
  const script = `$body = stream_get_contents(STDIN); echo json_encode(${line});`;
  return JSON.parse(await runCommand({ command: 'php', args: ['-r', script], cwd: '.' }, body));
}

const reason = php.missing();
const title = 'the PHP line of docs/signing.md for signed bodies';

describe.skipIf(reason)(reason ? `${title} (skipped: ${reason})` : title, () => {
  test.each<SignedBody>(signedBody.filter(({ valid }: SignedBody) => valid))(
    'keeps the digits of numbers: $name',
    async ({ body, text }) => {
      const fields = Object.entries(await decode(body))
        .filter(([, value]) => value !== '' && ['string', 'boolean'].includes(typeof value))
        .map(([name, value]) => `${name}=${value}`);
      const items = text.slice(text.indexOf('?') + 1).split('&');
      expect(items.filter((item) => !/^(x-fp-|tenant=)/.test(item))).toEqual(fields.sort());
    },
  );

  test('keeps names and strings of any length unchanged', async () => {
    const fields = { 'a 1"2': 'x\\', 'é 3': '4"5', long: '1 \\" '.repeat(50_000) };
    expect(await decode(JSON.stringify(fields))).toEqual(fields);
  });
});
