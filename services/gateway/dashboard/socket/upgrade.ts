import type { IncomingMessage } from 'node:http';
import { BelegError } from '../../../../events/errors.ts';
import type { DashboardAccess, DashboardGatewaySettings } from '../access.ts';
import { stripBasePath } from '../../http/base-path.ts';
import { createHostCheck, bearerOf } from '../../http/keys-and-hosts.ts';

/**
 * Checks an upgrade by the same rules as other requests, and throws the `BelegError` to answer with. A browser cannot
 * send a key with an upgrade. So if keys are configured and none was sent, `admitted` is false, and the client's first
 * message must have a key.
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
