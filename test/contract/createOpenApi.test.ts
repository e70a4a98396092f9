import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOpenApi } from '../../src/contract/createOpenApi.js';
import { errorCodes } from '../../src/contract/errorCodes.js';
import { SIGNED_CHARACTERS } from '../../src/contract/widgetParams.js';
import { AMBIGUOUS_CHARACTERS } from '../../src/protocol/widget/valueFormats.js';
import { createContract } from './createContract.js';

const document = createOpenApi('1.2.3');
const contract = createContract(document);
const guide = readFileSync('docs/http.md', 'utf8');

type Node = Record<string, unknown>;

/** Returns every object in the document with its path. */
function* walk(node: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [path, node as Node];
  for (const [key, child] of Object.entries(node)) yield* walk(child, `${path}/${key}`);
}
const nodes = [...walk(document)].filter(([path]) => !/\/example(\/|$)/.test(path));

describe('createOpenApi', () => {
  it('describes every route, parameter, response, header, schema and field', () => {
    const needing = nodes.filter(([path]) =>
      /\/(properties|schemas|headers|responses|securitySchemes)\/[^/]+$|\/parameters\/\d+$|\/(get|post|requestBody)$/.test(
        path,
      ),
    );
    const without = needing.filter(
      ([, { description, $ref }]) => typeof description !== 'string' && typeof $ref !== 'string',
    );
    expect(without.map(([path]) => path)).toEqual([]);
    expect(needing.length).toBeGreaterThan(200);
  });

  it('closes no object, and has no default response', () => {
    const closed = nodes.filter(
      ([, { additionalProperties, unevaluatedProperties }]) =>
        additionalProperties === false || unevaluatedProperties !== undefined,
    );
    expect(closed).toEqual([]);
    expect(nodes.filter(([path]) => path.endsWith('/responses/default'))).toEqual([]);
  });

  it('has examples of all successful bodies, which fit their closed schemas', () => {
    const contents = nodes.filter(([path]) => path.endsWith('/content/application/json'));
    let examples = 0;
    for (const [path, { schema, example }] of contents) {
      if (!/\/(requestBody|responses\/2\d\d)\//.test(path)) continue;
      const name = (schema as { $ref: string }).$ref.split('/').at(-1) ?? '';
      expect(contract.findIssues(name, example), path).toEqual([]);
      examples++;
    }
    expect(examples).toBeGreaterThan(10);
  });

  it('says that a signed parameter is MARKET or MINT, with the fields that this needs', () => {
    const nft = {
      ...{ partnerId: 'p1', timestamp: '1767225600', nonce: '482910', ext: 'r', signature: 's=' },
      ...{ contractAddress: '0x1', nftNetwork: 'polygon', transferWalletAddress: '0x2' },
      ...{ cryptoCurrency: 'ETH', amount: '0.05', walletAddress: '0x3' },
    };
    const isValid = (params: object) => contract.findIssues('NftSignedParams', params).length === 0;
    expect(isValid({ ...nft, type: 'MINT', mintQuantity: '1' })).toBe(true);
    expect(isValid({ ...nft, type: 'MARKET', tokenId: '1', ownerWalletAddress: '0x4' })).toBe(true);
    expect(isValid({ ...nft, type: 'MINT' })).toBe(false);
    expect(isValid({ ...nft, type: 'MARKET', tokenId: '1' })).toBe(false);
    expect(isValid({ ...nft, type: 'GIFT', mintQuantity: '1' })).toBe(false);
  });

  it('allows in signed values exactly the characters that the signer allows', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const differing = characters.filter(
      (one) => SIGNED_CHARACTERS.test(one) === AMBIGUOUS_CHARACTERS.test(one),
    );
    expect(differing).toEqual([]);
  });
});

describe('the errors of the document', () => {
  it('are those of `errorCodes`', () => {
    const codes = contract.documented.map((response) => response.split(' ')[3]).filter(Boolean);
    expect([...new Set(codes)].sort()).toEqual(Object.keys(errorCodes).sort());
  });
});

describe('docs/http.md', () => {
  it('has the routes of the document in its table', () => {
    const table = guide.slice(guide.indexOf('| route |'), guide.indexOf('## All routes'));
    const listed = [...table.matchAll(/^\| \[(.+?)\]\(#/gm)].flatMap(([, cell = '']) => {
      const methods = [...cell.matchAll(/\b(GET|POST)\b/g)].map(([method]) => method);
      const paths = [...cell.matchAll(/\/[\w:/]+/g)].map(([path]) => path);
      return paths.flatMap((path) => methods.map((method) => `${method} ${path}`));
    });
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(listed.sort()).toEqual(documented.sort());
  });

  it.each([
    ['POST /checkouts', ['OpenedCheckout', 'CheckoutProposal', 'OpenedCheckout']],
    ['GET /checkouts', ['CheckoutsResponse']],
    ['GET /checkouts/:reference', ['PolledCheckout']],
    ['GET and POST /sync', ['SyncRun']],
    ['Errors', ['ParamsInvalidError']],
    ['Rate limits', ['RateLimitedError']],
  ])('has examples under "%s" that fit the document', (heading, names) => {
    const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    const blocks = [...section.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => json);
    // An ellipsis stands for a value that the example leaves out.
    const plain = (json: string) =>
      JSON.parse(
        json
          .replaceAll('https://…', 'https://example.com')
          .replaceAll('0x…', '0x1')
          .replaceAll('…', 'x'),
      );
    expect(
      blocks.map((json, index) => contract.findIssues(names[index] ?? '', plain(json))),
    ).toEqual(names.map(() => []));
  });
});
