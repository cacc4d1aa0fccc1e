import {
  Erase,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
  RecordStatus,
  ShowInteraction,
} from '../../../events/messages/audit.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
}

type ToRoute = (payload: Readonly<Record<string, unknown>>) => Route;

const get = (path: string): Route => ({ method: 'GET', path, body: undefined });
const post = (path: string, body?: unknown): Route => ({ method: 'POST', path, body });

function query(payload: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(payload)) {
    if (['string', 'number', 'boolean'].includes(typeof value)) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

const ROUTES: Readonly<Record<string, ToRoute>> = {
  [ListInteractions.subject]: (payload) => get(`/v1/audit/interactions${query(payload)}`),
  [ShowInteraction.subject]: ({ request_id }) =>
    get(`/v1/audit/interactions/${encodeURIComponent(String(request_id))}`),
  [RecordStatus.subject]: () => get('/v1/audit/record'),
  [Erase.subject]: (payload) => post('/v1/audit/erasures', payload),
  [MakeCheckpoint.subject]: () => post('/v1/audit/checkpoints'),
  [RebuildAuditTables.subject]: () => post('/v1/audit/projections/audit/rebuild'),
  [RebuildTradingTables.subject]: () => post('/v1/audit/projections/trading/rebuild'),
};

/** Where the gateway offers what services offer on the bus. */
export function routeOf(subject: string, payload: Readonly<Record<string, unknown>>): Route {
  const toRoute = ROUTES[subject];
  if (toRoute === undefined) throw new TypeError(`the gateway has no route for ${subject}`);
  return toRoute(payload);
}
