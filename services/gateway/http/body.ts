import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { WRONG_MEDIA_TYPE } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request may come without a body. */
    bodyOptional?: boolean;
  }
}

/** JSON in UTF-8 and nothing else; what is not is `INVALID_JSON`. Parse errors quote the body, so they go nowhere. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!isJson(request.headers['content-type'] ?? '')) {
      throw new BelegError('INVALID_JSON', { detail: WRONG_MEDIA_TYPE });
    }
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
    } catch {
      throw new BelegError('INVALID_JSON');
    }
  });

  app.addHook('preValidation', async (request) => {
    const { schema, config } = request.routeOptions;
    if (schema?.body !== undefined && config.bodyOptional !== true && request.body === undefined) {
      throw new BelegError('INVALID_JSON', { detail: 'A JSON body is required' });
    }
  });
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType);
}
