import type { History } from './history.ts';
import { largest, type Schema } from './largest.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Target {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly schemas: Document['components']['schemas'];
  readonly history: History;
}

/** Fields that have another meaning on one path. */
const BY_PATH: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/trading/performance': { from: '2000-01-01', to: '2099-01-01', benchmark: 'DEMO-OAK' },
  '/api/trading/equity': { before: '2099-01-01' },
  '/api/trading/trades': { before: 1_000_000 },
  '/api/trading/cash': { reason: 'd'.repeat(64) },
};

/** The largest request of an operation. `nth` selects values of enumerations, and known or unknown keys. */
function requestOf(
  { path, operation, schemas, history }: Target,
  fill: (length: number) => string,
  nth: number,
) {
  const known = (name: string, index: number): unknown => {
    const own = BY_PATH[path]?.[name];
    if (own !== undefined) return own;
    switch (name) {
      case 'request_id':
        return history.asks[0];
      case 'id':
        return 'BUrlG-3';
      case 'ticker':
        return history.tickers[0];
      case 'order_id':
      case 'before':
        return history.orders.at(-1);
      case 'key':
        return nth === 0 ? history.keys[index * 3] : `${'unbekannte_angabe_'.repeat(10)}${index}`;
      case 'client_order_id':
      case 'client_cash_id':
        return crypto.randomUUID();
      case 'from':
        return '2000-01-01T00:00:00Z';
      case 'to':
        return '2099-01-01T00:00:00Z';
      case 'timestamp':
        return new Date().toISOString();
      case 'type':
        return 'limit';
      default:
        return undefined;
    }
  };
  const choices = { fill, nth, known, schemas };
  const query = new URLSearchParams();
  let address = path;
  for (const parameter of operation.parameters ?? []) {
    // A cursor comes from a previous page, and the other filters only reduce the rows.
    if (parameter.in === 'header' || ['cursor', 'status', 'rating', 'feedback'].includes(parameter.name))
      continue;
    // A text that was cut may end in half of a surrogate pair, which an address cannot have.
    const value = String(largest(parameter.schema, choices, parameter.name)).toWellFormed();
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else query.set(parameter.name, value);
  }
  const schema = operation.requestBody?.content['application/json'].schema;
  const body = schema === undefined ? undefined : (largest(schema, choices) as Record<string, unknown>);
  // There is no context outside of review mode.
  if (body?.['mode'] === 'knowledge') delete body['context'];
  return { path: `${address}${query.size === 0 ? '' : `?${query.toString()}`}`, body };
}

/** All operations in the document of a service. */
export async function targetsOf(url: string, history: History): Promise<Target[]> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const { schemas } = components;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      url,
      method,
      path,
      operation,
      schemas,
      history,
    })),
  );
}

/** Whether the request has free text besides its headers. */
export function isFree({ operation }: Target): boolean {
  const { requestBody, parameters = [] } = operation;
  const given = parameters.filter((each) => each.in !== 'header');
  return requestBody !== undefined || JSON.stringify(given).includes('string');
}

/** Sends the request and reads the whole reply. */
export async function send(target: Target, fill: (length: number) => string, nth: number): Promise<Response> {
  const { path, body = {} } = requestOf(target, fill, nth);
  const given = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${target.url}${path}`, {
    method: target.method.toUpperCase(),
    ...(target.method === 'get' ? {} : given),
  });
  await response.arrayBuffer();
  return response;
}
