import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import { z } from 'zod';
import { REQUEST_ID } from '../../../events/messages/request-id.ts';
import { listErrors, type ErrorCode } from '../../../events/error-codes.ts';
import { VERSION } from '../../foundation/version.ts';
import { clean, forClients, refTo, type Schema } from './client-schemas.ts';
import { MAX_BODY_BYTES } from './http-limits.ts';
import { Problem, PROBLEM_TYPE } from './problem.ts';
import { declareHeaders, HEADERS } from './response-headers.ts';

const PROBLEM = {
  type: 'urn:beleg:problem:invalid-request',
  title: 'The request is not valid',
  status: 422,
  detail: 'quantity: must be greater than 0',
  code: 'INVALID_REQUEST',
  request_id: '5e8f2a1c-7d64-4b0e-9a53-0c1d2e3f4a5b',
  errors: [{ path: 'quantity', message: 'must be greater than 0' }],
} satisfies Problem;

/** A schema that has a name in the document. */
export interface Named {
  readonly schema: z.ZodType;
  readonly examples: object[];
}

/** The description of one HTTP interface. */
export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  /** The bodies of requests, in which unknown fields are refused. */
  readonly requests: Readonly<Record<string, Named>>;
  /** The bodies of replies; the body of errors is added. */
  readonly replies: Readonly<Record<string, Named>>;
  /** The descriptions of the groups of paths. */
  readonly tags: Readonly<Record<string, string>>;
  readonly securitySchemes: Readonly<Record<string, OpenAPIV3_1.SecuritySchemeObject>>;
}

/** The error codes that any path can return. */
const ALWAYS: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'FORBIDDEN_ORIGIN',
  'MISDIRECTED_REQUEST',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];

/** The responses of a route for its schema: the success, and one for each error code. */
export function answers(
  schema: z.ZodType,
  description: string,
  codes: readonly ErrorCode[],
  status = 200,
): Record<number, object> {
  const possible = new Set([...ALWAYS, ...codes]);
  const byStatus = Map.groupBy(
    listErrors().filter(({ code }) => possible.has(code)),
    ({ status }) => status,
  );
  const errors = [...byStatus].map(([status, entries]) => [
    status,
    {
      description: entries.map(({ code, title }) => `\`${code}\`: ${title}`).join('  \n'),
      content: { [PROBLEM_TYPE]: { schema: Problem } },
    },
  ]);
  return { ...Object.fromEntries(errors), [status]: success(schema, description) };
}

/** The response of a success in JSON. */
export function success(schema: z.ZodType, description: string): object {
  return { description, content: { 'application/json': { schema } } };
}

/** The rules for requests and errors that all interfaces share. */
export const CONVENTIONS = `This document as JSON: [/openapi.json](/openapi.json).

A body is JSON in UTF-8 of at most ${MAX_BODY_BYTES / 1024} KiB, also once it is decompressed: \`Content-Encoding\` may be \`gzip\`, \`deflate\` or
\`br\`. \`null\` for an optional field means that it is not given. Replies may get more fields: ignore those that you do not know.

A request can have an \`X-Request-ID\` (1 to 128 characters of \`A-Z a-z 0-9 . _ : -\`, but not
\`.\` or \`..\`); an invalid or missing one is replaced by a random one. The id in use is in the response header of that name, and in
the body of answers and errors. It must not contain names, personnel numbers or other personal data.

\`traceparent\` and \`tracestate\` (W3C Trace Context) are passed on to everything that a request causes, and
\`traceparent\` is recorded; invalid ones are ignored.

Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. With 429 and most 503s, \`Retry-After\` says when
to try again; the schema \`Problem\` lists all codes.`;

/** Headers that are only described: an invalid id is replaced and an invalid trace ignored. */
const REQUEST_HEADERS = {
  type: 'object',
  properties: {
    'x-request-id': { type: 'string', pattern: REQUEST_ID.source },
    traceparent: { type: 'string', pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}' },
    tracestate: { type: 'string' },
  },
};

const NEEDS_NO_BODY = ' It needs no body; `{}` may be sent.';

/** Describes the contract by the schemas that validate. Call it before any route is added. */
export async function describeApi(app: FastifyInstance, api: ApiDescription): Promise<void> {
  const { requests, securitySchemes } = api;
  const replies = {
    ...api.replies,
    Problem: { schema: Problem, examples: [PROBLEM] },
  };
  const names = new Map<unknown, string>(
    Object.entries({ ...requests, ...replies }).map(([name, { schema }]) => [schema, name]),
  );
  const bodyOptional = new Set<string>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: api.title,
        version: VERSION,
        description: api.description.replaceAll('](/', `](${app.basePath}/`),
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { body, ...rest } = withoutZod(schema, names) as FastifySchema;
      const optional = route.config?.bodyOptional === true;
      if (optional) bodyOptional.add(url);
      // A body without fields is left out of the document, because clients would ask for one.
      const isEmpty = optional && !names.has(schema.body);
      const sent = isEmpty ? {} : { body };
      const named = {
        operationId: operationIdOf(String(route.method), url),
        description: `${meaningOf(schema)}${isEmpty ? NEEDS_NO_BODY : ''}`,
      };
      const { properties = {} } = (rest.headers ?? {}) as { properties?: object };
      const headers = {
        ...REQUEST_HEADERS,
        properties: { ...REQUEST_HEADERS.properties, ...properties },
      };
      return { schema: { ...named, ...rest, ...sent, headers }, url };
    },
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: OpenAPIV3_1.Document };
      for (const url of bodyOptional) {
        // The library documents the body as required.
        const body = openapiObject.paths?.[url]?.post?.requestBody;
        if (body !== undefined && 'required' in body) body.required = false;
      }
      // The headers are added here, because this step keeps siblings of a reference.
      declareHeaders(openapiObject);
      const schemas = {
        ...componentsOf(requests, 'input'),
        ...componentsOf(replies, 'output'),
      } as Record<string, OpenAPIV3_1.SchemaObject>;
      return { ...openapiObject, components: { ...openapiObject.components, schemas, headers: HEADERS } };
    },
  });
}

/** The name of a path in generated clients: `POST /v1/ask` is `postAsk`, `GET /v1/sources/{id}` is `getSourcesById`. */
function operationIdOf(method: string, url: string): string {
  const isDeprecated = !/^\/(?:v1|api)\//.test(url);
  const words = url
    .replace(/^\/(?:v1|api)\//, '')
    .replaceAll(/[:{](\w+)\}?/g, 'by_$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const camel = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return `${method.toLowerCase()}${camel}${isDeprecated ? 'Deprecated' : ''}`;
}

/** The description of a path's success. */
function meaningOf(schema: FastifySchema | undefined): string {
  const { response = {} } = schema ?? {};
  const [, success] = Object.entries(response as Record<string, { description?: string }>).find(([status]) =>
    status.startsWith('2'),
  ) ?? ['', {}];
  return `${success.description ?? ''}.`;
}

/**
 * The schema of a route in which each zod schema is replaced by its JSON Schema, or by a reference if it has a name.
 */
function withoutZod(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (value instanceof z.ZodType) {
    const name = names.get(value);
    if (name !== undefined) return refTo(name);
    return clean(plain(z.toJSONSchema(value, { io: 'input', override: withoutIntegerRange })), 'input');
  }
  if (Array.isArray(value)) return value.map((part) => withoutZod(part, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutZod(part, names)]));
}

function componentsOf(named: Readonly<Record<string, Named>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (name) => refTo(name).$ref,
    override: withoutIntegerRange,
  });
  const described = Object.entries(named).map(([id, { schema: _schema, ...notes }]) => [
    id,
    { ...plain(schemas[id]!), ...notes },
  ]);
  return forClients(Object.fromEntries(described), io);
}

const plain = ({ $schema: _schema, $id: _id, ...rest }: Record<string, unknown>): Schema => rest;

/** Removes the range of JavaScript's safe integers, which zod adds and which tells a reader nothing. */
function withoutIntegerRange({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
