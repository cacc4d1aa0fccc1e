import { Agent, request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { readJson } from '../../../events/json.ts';
import { invalidRequest, newCall } from '../../../events/messages/define.ts';
import { Problem, PROBLEM_TYPE } from '../../gateway/http/problem.ts';
import type { OperatorLink } from './operator-link.ts';
import { ListActors } from '../../../events/messages/actors.ts';
import * as audit from '../../../events/messages/audit.ts';

/** Milliseconds that are added to the service's own time limit. */
const MARGIN_MS = 5_000;

/** A link to the service that has this record, with the first admin key. No error contains the key. */
export async function openHttpLink(
  url: string,
  { adminApiKeys: [key], dataDir }: { readonly adminApiKeys: readonly string[]; readonly dataDir: string },
): Promise<OperatorLink> {
  const base = reachable(url);
  // `fetch` would give up on a service that works for minutes before it answers.
  const agent = new Agent({ keepAlive: true });

  const exchange = ({ method, path, body }: Route, timeoutMs: number): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = send(new URL(path, base), {
        method,
        agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/json',
          'x-request-id': newCall().correlationId,
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      });
      request.on('response', resolve);
      request.on('error', reject);
      request.end(body);
    });

  return {
    async call(definition, payload) {
      const request = definition.request.safeParse(payload);
      if (!request.success) throw invalidRequest(request.error);
      const route = routeOf(definition.subject, request.data as object);
      let response: IncomingMessage;
      let content: string;
      try {
        response = await exchange(route, definition.timeoutMs + MARGIN_MS);
        content = await text(response);
      } catch (cause) {
        throw unreachable(cause, `the service of ${dataDir} at ${base}`);
      }
      if (response.headers['content-type']?.startsWith(PROBLEM_TYPE)) throw toError(response, content);
      const reply = readJson(definition.reply, content);
      if (response.statusCode === 200 && reply !== undefined) return reply;
      throw new BelegError('INTERNAL', {
        detail: `the service of ${dataDir} at ${base} is not a Beleg service or has a different version (status ${response.statusCode})`,
      });
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
    },
  };
}

/** The address for a request: a service that listens on all addresses is reached on loopback. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function unreachable(cause: unknown, service: string): BelegError {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'AbortError' || name === 'TimeoutError') {
    return new BelegError('DEADLINE_EXCEEDED', {
      detail: `${service} did not answer in time; it may still carry out the command`,
    });
  }
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new BelegError('SERVICE_UNAVAILABLE', {
    detail: `${service} cannot be reached${code}; it may have just stopped, try again`,
  });
}

function toError(response: IncomingMessage, content: string): BelegError {
  const problem = readJson(Problem, content);
  if (problem === undefined) return new BelegError('INTERNAL');
  const { code, detail, title, errors } = problem;
  // An unknown error code comes from a newer release of the service.
  if (!isErrorCode(code)) return new BelegError('INTERNAL', { detail: `${code}: ${detail}` });
  if (code === 'UNAUTHORIZED') {
    return new BelegError(code, { detail: 'set PV_ADMIN_API_KEY to the admin key of the running service' });
  }
  const retryAfter = Number(response.headers['retry-after']);
  return new BelegError(code, {
    detail: detail === title ? undefined : detail,
    errors,
    retryAfter: retryAfter > 0 ? retryAfter : undefined,
  });
}

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

interface Route {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The body of the request as JSON. */
  readonly body?: string;
}

/** The request is in the query of a `GET`, and in the body of a `POST`. */
function routeOf(subject: string, payload: object): Route {
  const route = ROUTES[subject];
  if (route === undefined) throw new TypeError(`the gateway has no route for ${subject}`);
  const [method, path] = route.split(' ') as [string, string];
  const sent = Object.entries(payload).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return { method, path };
  if (method === 'POST') return { method, path, body: JSON.stringify(payload) };
  const query = new URLSearchParams(sent.map(([name, value]): [string, string] => [name, String(value)]));
  return { method, path: `${path}?${query.toString()}` };
}
