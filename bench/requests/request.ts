import type { History } from './history.ts';
import { largest, type Filler, type Schema } from './largest.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

export interface Document {
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

/** The largest request of an operation. `nth`: which values of enumerations it takes, and whether its keys are known ones. */
export function requestOf({ path, operation, schemas, history }: Target, filler: Filler, nth: number) {
  const known = (name: string, index: number): unknown => {
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
  const choices = { filler, nth, known, schemas };
  const query = new URLSearchParams();
  let address = path;
  for (const parameter of operation.parameters ?? []) {
    // A cursor comes from a page before, and the other filters only leave rows out.
    if (parameter.in === 'header' || ['cursor', 'status', 'rating', 'feedback'].includes(parameter.name))
      continue;
    const value = String(largest(parameter.schema, choices, parameter.name));
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else query.set(parameter.name, value);
  }
  const schema = operation.requestBody?.content['application/json'].schema;
  const body = schema === undefined ? undefined : (largest(schema, choices) as Record<string, unknown>);
  // Outside of review mode there is no context.
  if (body?.['mode'] === 'knowledge') delete body['context'];
  return { path: `${address}${query.size === 0 ? '' : `?${query.toString()}`}`, body };
}
