import type { z } from 'zod';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import { Erase, EraseRequest } from '../../../events/messages/audit.ts';
import { invalidRequest } from '../../../events/messages/define.ts';
import { readSettings } from '../../composition/settings.ts';
import { messageOf } from '../report-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { toJson } from '../../foundation/json.ts';
import { openLink } from '../link.ts';
import type { OperatorLink } from '../link/operator-link.ts';
import { writeTo, type Write } from '../output.ts';

/** The number of requests that are erased together, because they share most of the work. */
const AT_ONCE = 100;

/** The hint when a process is not running, because no other process can erase its copy. */
const ELSEWHERE =
  'beleg: an audit process that is stopped, or cut off from NATS, applies this to its own tables when it is back, before anything is read from them';

/**
 * `beleg audit erase`: prints a line for each request, in the given order. Exits with 5 if an id has nothing on record,
 * and with 1 if a request could not be erased; the others are erased all the same.
 */
export async function erase(requestIds: string[], options: { reason: string; json?: true }): Promise<void> {
  const requests = readRequests(requestIds, options.reason);
  const settings = readSettings(process.env);
  await using link = await openLink(settings);
  process.exitCode = await eraseAll(link, requests, {
    json: options.json === true,
    out: writeTo(process.stdout),
    err: writeTo(process.stderr),
  });
  if (settings.distributed !== null) console.error(ELSEWHERE);
}

type Request = z.output<typeof EraseRequest>;

/** Reads all requests before the first one is erased. @throws {BelegError} `INVALID_REQUEST` */
export function readRequests(requestIds: readonly string[], reason: string): Request[] {
  return [...new Set(requestIds)].map((request_id) => {
    const request = EraseRequest.safeParse({ request_id, reason });
    if (request.success) return request.data;
    const { errors = [] } = invalidRequest(request.error);
    throw new BelegError('INVALID_REQUEST', {
      detail: errors
        .map(({ path, message }) => `${path === 'reason' ? '--reason' : request_id}: ${message}`)
        .join('; '),
    });
  });
}

/** Erases the requests; resolves with the exit code. */
export async function eraseAll(
  link: Pick<OperatorLink, 'call'>,
  requests: readonly Request[],
  { json, out, err }: { json: boolean; out: Write; err: Write },
): Promise<number> {
  let exit = 0;
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    const some = requests.slice(start, start + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((request) => link.call(Erase, request)));
    for (const [index, outcome] of outcomes.entries()) {
      const { request_id } = some[index]!;
      if (outcome.status === 'fulfilled') {
        const { erased_at, repeated } = outcome.value;
        const when = repeated ? `was already erased at ${erased_at}` : `erased at ${erased_at}`;
        await out(`${json ? toJson(outcome.value) : `${request_id}  ${when}`}\n`);
        continue;
      }
      const error: unknown = outcome.reason;
      // An error that concerns all requests is reported once.
      if (!isBelegError(error) || error.status === 401) throw error;
      const isUnknown = error.code === 'UNKNOWN_REQUEST_ID';
      if (exit !== EXIT.failure) exit = isUnknown ? EXIT.notFound : EXIT.failure;
      if (json) await out(`${toJson({ request_id, code: error.code })}\n`);
      await err(`beleg: ${request_id}: ${messageOf(error)}\n`);
    }
  }
  return exit;
}
