import * as z from 'zod/mini';
import { descriptions } from './describe.js';
import {
  type Access,
  accesses,
  getStatus,
  type HeaderName,
  headers,
  type Route,
  routes,
} from './routes.js';
import { errorSchemas } from './schemas.js';

/** Any JSON value. */
type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A response of an operation. Without a body, `content` is absent. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { readonly required: boolean; readonly schema: JsonObject }>
  >;
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The parts of the document that the tests read by name. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
  };
}

const REPOSITORY = 'https://github.com/partner-ramp/react';

const INTRODUCTION = `
The HTTP contract between the components of @partner-ramp/react and a backend, as \`createRamp\` implements it.
[HTTP](${REPOSITORY}/blob/HEAD/docs/http.md) explains what your own backend must check.

- Every object may get more fields in a later release, so ignore those that you don't know.
- Amounts are decimal strings, times are integers of Unix seconds, and a field without a value is absent.
- Every response carries \`X-Content-Type-Options: nosniff\`, and \`Cache-Control: no-store\` unless described otherwise.
- A page on another origin is allowed by CORS if the backend lists its origin, except by \`/sync\`. A path that supports GET also supports HEAD.
- Your framework may respond before the handler: with 401 if the session has ended, with 429 for your rate limit. Use the body of the other errors, with the codes \`ERR_SIGNED_OUT\` and \`ERR_RATE_LIMITED\`.
`.trim();

const tags = [
  { name: 'Checkouts', description: 'Open, list, follow and continue checkouts.' },
  { name: 'Prices', description: 'Currencies and quotes, cached by the backend.' },
  { name: 'Service', description: 'Requests that come from no page: webhooks and scheduled jobs.' },
];

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description: 'The cookie of your own session. You choose its name.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'Your own token, for a client that is not a page and sends no cookie.',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Fp-Signature',
    description: "The service's RSA-SHA256 signature over the headers and the query.",
  },
  syncSecret: {
    type: 'http',
    scheme: 'bearer',
    description: 'The option `serverless.syncSecret` of the backend.',
  },
};

const toUri = (id: string) => `#/components/schemas/${id}`;

/**
 * Creates the OpenAPI document of the handler: its routes and errors.
 *
 * @param version - The version of the package.
 */
export function createOpenApi(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] as object, { [route.method]: createOperation(route) });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Backend of @partner-ramp/react',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', url: `${REPOSITORY}/blob/HEAD/LICENSE` },
      contact: { name: 'Issues', url: `${REPOSITORY}/issues` },
    },
    servers: [{ url: '/api/ramp', description: 'The path at which you mount the handler.' }],
    tags,
    paths,
    components: { schemas: createSchemas(), securitySchemes },
  } as unknown as OpenApiDocument;
}

function createOperation(route: Route) {
  const { operationId, tag, summary, description, access, parameters = [], body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: toSecurity(access),
    ...(parameters.length > 0 && {
      parameters: parameters.map(({ schema, required = false, ...parameter }) => ({
        ...parameter,
        required,
        schema: toJsonSchema(schema),
      })),
    }),
    ...(body && {
      requestBody: {
        description: body.description,
        required: true,
        content: {
          'application/json': { schema: toJsonSchema(body.schema), example: body.example },
        },
      },
    }),
    responses: { ...createSuccesses(route), ...createFailures(route) },
  };
}

const toSecurity = (access: Access) =>
  accesses[access].map((scheme) => (scheme === '' ? {} : { [scheme]: [] }));

const createSuccesses = ({ successes }: Route) =>
  Object.fromEntries(
    successes.map(({ status, description, schema, example, headers = [] }) => [
      status,
      {
        description,
        ...toHeaders(headers),
        ...(schema && {
          content: { 'application/json': { schema: toJsonSchema(schema), example } },
        }),
      },
    ]),
  );

/** Returns the error responses of a route. Failures with the same status share one response, which lists each code. */
function createFailures({ failures }: Route) {
  const statuses = new Set(failures.map(getStatus));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const group = failures.filter((failure) => getStatus(failure) === status);
      const codes = new Set(group.map(({ code }) => code));
      const schemas = [...codes].map((code) => toJsonSchema(errorSchemas[code]));
      return [
        status,
        {
          description: group.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n\n'),
          ...toHeaders(new Set(group.flatMap(({ headers = [] }) => headers)), (name) =>
            group.every(({ headers = [] }) => headers.includes(name)),
          ),
          content: {
            'application/json': {
              schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
            },
          },
        },
      ];
    }),
  );
}

/** Returns a response's headers. A header that only some of the response's errors carry is not required. */
const toHeaders = (names: Iterable<HeaderName>, isRequired = (_: HeaderName) => true) => {
  const entries = [...names].map((name) => [
    name,
    { ...headers[name], required: isRequired(name) },
  ]);
  return entries.length > 0 && { headers: Object.fromEntries(entries) };
};

const options = { metadata: descriptions, io: 'input' } as const;

/** Returns a reference to a named schema, or the JSON Schema of an unnamed one. */
export function toJsonSchema(schema: z.core.$ZodType): JsonObject {
  const id = descriptions.get(schema)?.id;
  return id ? { $ref: toUri(id) } : clean(z.toJSONSchema(schema, options));
}

function createSchemas(): Record<string, JsonObject> {
  const { schemas } = z.toJSONSchema(descriptions, { ...options, uri: toUri });
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([id, schema]) => [id, clean(schema)]));
}

/** Removes what only zod needs: where a schema is defined, and the limits of safe integers. */
function clean(schema: object): JsonObject {
  const text = JSON.stringify(schema, (key, value) =>
    key === '$schema' || key === '$id' || Math.abs(value) === Number.MAX_SAFE_INTEGER
      ? undefined
      : value,
  );
  return JSON.parse(text);
}
