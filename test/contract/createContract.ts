import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type {
  JsonObject,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from '../../src/contract/createOpenApi.js';

/** A request and its response, as the caller saw them. */
export interface Exchange {
  readonly method: string;
  /** The path below the base path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The document, for tests that compare responses with it. */
export interface Contract {
  /**
   * Returns what in a response the document does not have: another status, body or header. The published objects are
   * open, so that releases can add fields. Here they are closed, so that an undocumented field is found.
   */
  findDrift(exchange: Exchange): string[];
  /** Returns why a body does not have the closed schema of the document with this name. */
  findIssues(schemaName: string, body: unknown): string[];
  /** Each documented response: `GET /quote 200`, and for an error `GET /quote 400 ERR_PARAMS_INVALID`. */
  readonly documented: readonly string[];
  /** The documented responses that `findDrift` has seen so far. */
  readonly seen: ReadonlySet<string>;
}

/** The headers that every response may have. The introduction of the document names them. */
const commonHeaders =
  /^(cache-control|content-type|x-content-type-options|vary|access-control-.+)$/;

/** The name under which the validator knows the schemas of the document. */
const CONTRACT = 'contract';

export function createContract(document: OpenApiDocument): Contract {
  const closed = closeObjects(document as unknown as JsonObject) as unknown as OpenApiDocument;
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  ajv.addKeyword('components');
  ajv.addSchema({ components: closed.components }, CONTRACT);
  const compiled = new Map<string, ValidateFunction>();
  const seen = new Set<string>();

  function validate(schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const found = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, found);
    if (found(value)) return [];
    return (found.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `the body${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  const refer = (schemaName: string) => ({ $ref: `${CONTRACT}#/components/schemas/${schemaName}` });

  function findPath(path: string) {
    const found = Object.entries(closed.paths).find(([template]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path),
    );
    return found && { template: found[0], operations: found[1] };
  }

  function findDrift(exchange: Exchange): string[] {
    const found = findPath(exchange.path);
    const drift = found ? findRouteDrift(exchange, found) : findUnknownRouteDrift(exchange);
    return drift.map((what) => `${exchange.method} ${exchange.path} ${exchange.status}: ${what}`);
  }

  function findUnknownRouteDrift({ method, status, text }: Exchange): string[] {
    if (method === 'OPTIONS') return status === 204 ? [] : ['a preflight gets 204'];
    if (status !== 404) return ['an unknown route gets 404'];
    return method === 'HEAD' ? [] : validate(refer('NotFoundError'), JSON.parse(text));
  }

  function findRouteDrift(
    exchange: Exchange,
    { template, operations }: NonNullable<ReturnType<typeof findPath>>,
  ): string[] {
    const { method, status, text } = exchange;
    // A scheduled job sends no preflight, and no page may call its route.
    if (method === 'OPTIONS' && template !== '/sync')
      return status === 204 && text === '' ? [] : ['a preflight gets 204 and no body'];
    const verb = (method === 'HEAD' && template !== '/sync' ? 'GET' : method).toLowerCase();
    const operation = operations[verb];
    if (operation) {
      const names = [`${verb.toUpperCase()} ${template}`];
      return findResponseDrift(exchange, operation, names);
    }
    // All routes of a path document the same 405. Without a secret, the path /sync has no methods.
    const names = Object.keys(operations).map((known) => `${known.toUpperCase()} ${template}`);
    if (status !== 405 && !(status === 404 && template === '/sync'))
      return ['a method that the path lacks gets 405'];
    return findResponseDrift(exchange, Object.values(operations)[0] as OpenApiOperation, names);
  }

  function findResponseDrift(
    { method, status, headers, text }: Exchange,
    { responses }: OpenApiOperation,
    names: readonly string[],
  ): string[] {
    const response = responses[status];
    if (!response) return ['the document lacks this status'];
    const drift = findHeaderDrift(headers, response);
    const [[type, content] = []] = Object.entries(response.content ?? {});
    const isHead = method === 'HEAD';
    const code = text && !isHead && JSON.parse(text).error?.code;
    for (const name of names) seen.add(`${name} ${status}${code ? ` ${code}` : ''}`);
    if (isHead || !content) return text === '' ? drift : [...drift, 'the response has no body'];
    if (headers.get('content-type')?.split(';')[0] !== type)
      return [...drift, `the content type is ${type}`];
    return [...drift, ...validate(content.schema, JSON.parse(text))];
  }

  function findHeaderDrift(headers: Headers, response: OpenApiResponse): string[] {
    const expected = Object.entries(response.headers ?? {});
    const known = new Set(expected.map(([name]) => name.toLowerCase()));
    const extra = [...headers.keys()].filter(
      (name) => !known.has(name) && !commonHeaders.test(name),
    );
    return [
      ...extra.map((name) => `the document lacks the header ${name}`),
      ...expected.flatMap(([name, { required, schema }]) => {
        const value = headers.get(name);
        if (value === null) return required ? [`the header ${name} is missing`] : [];
        return validate(schema, value).map((issue) => `${name}: ${issue}`);
      }),
    ];
  }

  return {
    findDrift,
    findIssues: (schemaName, body) => validate(refer(schemaName), body),
    documented: listResponses(closed),
    seen,
  };
}

/** Returns a copy in which every object schema that lists its fields has no others, and whose references have a name. */
function closeObjects(node: JsonObject): JsonObject {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        key === '$ref' ? `${CONTRACT}${child}` : close(child),
      ]),
    );
    return copy.type === 'object' && copy.properties
      ? { ...copy, additionalProperties: false }
      : copy;
  };
  return close(node) as JsonObject;
}

function listResponses({ paths, components }: OpenApiDocument): string[] {
  const findCodes = ({ $ref = '', anyOf = [] }: { $ref?: string; anyOf?: object[] }): string[] => {
    if (anyOf.length > 0) return anyOf.flatMap(findCodes);
    const schema = components.schemas[$ref.split('/').at(-1) ?? ''];
    const fields = schema?.properties as Record<string, { properties?: Record<string, unknown> }>;
    const code = fields?.error?.properties?.code as { const: string } | undefined;
    return code ? [` ${code.const}`] : [''];
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) => {
        const schema = Object.values(content)[0]?.schema ?? {};
        return findCodes(schema).map((code) => `${method.toUpperCase()} ${path} ${status}${code}`);
      }),
    ),
  );
}
