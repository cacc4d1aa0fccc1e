import type { IncomingMessage } from 'node:http';
import { BelegError } from '../../../../events/errors.ts';
import type { DashboardAccess, DashboardGatewaySettings } from '../access.ts';
import { stripBasePath } from '../../http/base-path.ts';
import { createHostCheck, bearerOf } from '../../http/keys-and-hosts.ts';

/**
 * Checks an upgrade by the same rules as other requests, and throws the `BelegError` to answer with. `admitted` is
 * false if keys are configured and none was sent, because a browser cannot send one with an upgrade; its first message
 * must have one.
 */
export function createDoor(
  { allowedHosts, apiKeys, readKeys, basePath = '' }: DashboardGatewaySettings,
  access: DashboardAccess,
): (request: IncomingMessage) => { admitted: boolean } {
  const assertHost = createHostCheck(allowedHosts);
  const strip = stripBasePath(basePath);
  const hasKeys = apiKeys.length > 0 || readKeys.length > 0;

  return (request) => {
    assertHost(request);
    if (strip(request.url ?? '').split('?')[0] !== '/ws') throw new BelegError('NOT_FOUND');
    const { authorization } = request.headers;
    if (hasKeys && authorization === undefined) return { admitted: false };
    if (access.readerOf(bearerOf(authorization), request.socket.remoteAddress ?? '') === null) {
      throw new BelegError('UNAUTHORIZED');
    }
    return { admitted: true };
  };
}
