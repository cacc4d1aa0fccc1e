import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types';
import { REQUEST_ID } from '../../../events/messages/request-id.ts';

type Header = OpenAPIV3_1.HeaderObject;

const header = (description: string, schema: OpenAPIV3.NonArraySchemaObject): Header => ({
  description,
  schema,
});
const count = (description: string): Header => header(description, { type: 'integer', minimum: 0 });

/** Headers that many responses have. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-ID': header('The id of this request: the one that was sent, or a random one', {
    type: 'string',
    pattern: REQUEST_ID.source,
  }),
  'Retry-After': header('Seconds after which another try makes sense; absent where waiting does not help', {
    type: 'integer',
    minimum: 1,
  }),
  'X-RateLimit-Limit': count('Requests a minute with this key; absent where no limit is set'),
  'X-RateLimit-Remaining': count('How many of them are left'),
  'X-RateLimit-Reset': count('Seconds until they begin anew'),
  'WWW-Authenticate': header('How to show a key', { type: 'string', enum: ['Bearer'] }),
  Allow: header('The methods of this path', { type: 'string' }),
};

const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
/** Statuses of requests that end before the key is checked, and so are not counted. */
const UNCOUNTED = new Set(['400', '401', '403', '405', '408', '421', '431']);

/** Declares the headers of each response in the document. The rate limit counts every path that needs a key. */
export function declareHeaders({ paths }: OpenAPIV3_1.Document): void {
  for (const path of Object.values(paths ?? {})) {
    for (const operation of [path?.get, path?.post]) {
      for (const [status, response] of Object.entries(operation?.responses ?? {})) {
        if ('$ref' in response) continue;
        const isCounted = (operation?.security ?? []).length > 0 && !UNCOUNTED.has(status);
        const names = ['X-Request-ID', ...(BY_STATUS[status] ?? []), ...(isCounted ? RATE : [])];
        response.headers = {
          ...response.headers,
          ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        };
      }
    }
  }
}
