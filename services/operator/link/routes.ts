import { ListActors } from '../../../events/messages/actors.ts';
import * as audit from '../../../events/messages/audit.ts';

/** The HTTP routes for the messages that commands send. */
const ROUTES: Readonly<Record<string, string>> = {
  [ListActors.subject]: 'GET /actors',
  [audit.ListInteractions.subject]: 'GET /v1/audit/interactions',
  [audit.RecordStatus.subject]: 'GET /v1/audit/record',
  [audit.Erase.subject]: 'POST /v1/audit/erasures',
  [audit.MakeCheckpoint.subject]: 'POST /v1/audit/checkpoints',
  [audit.RebuildAuditTables.subject]: 'POST /v1/audit/projections/audit/rebuild',
  [audit.RebuildTradingTables.subject]: 'POST /v1/audit/projections/trading/rebuild',
};

export interface Route {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The request is in the query of a `GET`, and in the body of a `POST`. */
export function routeOf(subject: string, payload: object): Route {
  const route = ROUTES[subject];
  if (route === undefined) throw new TypeError(`the gateway has no route for ${subject}`);
  const [method, path] = route.split(' ') as [string, string];
  const sent = Object.entries(payload).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return { method, path };
  if (method === 'POST') return { method, path, body: JSON.stringify(payload) };
  const query = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]));
  return { method, path: `${path}?${query.toString()}` };
}
