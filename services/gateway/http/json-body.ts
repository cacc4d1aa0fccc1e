import { isUtf8 } from 'node:buffer';
import { MIMEType, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import { MAX_BODY_BYTES } from './http-limits.ts';
import { parseJson } from './json-text.ts';
import { WRONG_MEDIA_TYPE } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the request may be sent without a body. */
    bodyOptional?: boolean;
  }
}

const DECOMPRESS: Readonly<Record<string, (body: Buffer, bound: typeof BOUND) => Promise<Buffer>>> = {
  identity: async (body) => body,
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};
const BOUND = { maxOutputLength: MAX_BODY_BYTES };

const WRONG_CHARSET = 'A JSON body must be encoded in UTF-8';
const WRONG_CODING =
  'The body is not what Content-Encoding says: gzip, deflate and br are taken, one of them';

/** Accepts only JSON in UTF-8; anything else is `INVALID_JSON`. Parse errors quote the body, so they are dropped. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, sent: Buffer) => {
    if (sent.length === 0) return undefined;
    assertJson(headers['content-type'] ?? '');
    const body = await decompress(sent, headers['content-encoding']);
    if (!isUtf8(body)) throw new BelegError('INVALID_JSON', { detail: WRONG_CHARSET });
    try {
      return parseJson(new TextDecoder().decode(body));
    } catch (error) {
      throw isBelegError(error) ? error : new BelegError('INVALID_JSON');
    }
  });

  app.addHook('preValidation', async (request) => {
    const { schema, config } = request.routeOptions;
    if (schema?.body !== undefined && config.bodyOptional !== true && request.body === undefined) {
      throw new BelegError('INVALID_JSON', { detail: 'A JSON body is required' });
    }
  });
}

async function decompress(body: Buffer, coding = 'identity'): Promise<Buffer> {
  const name = coding.trim().toLowerCase();
  try {
    if (Object.hasOwn(DECOMPRESS, name)) return await DECOMPRESS[name]!(body, BOUND);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new BelegError('BODY_TOO_LARGE');
    }
  }
  throw new BelegError('INVALID_JSON', { detail: WRONG_CODING });
}

/** Takes JSON with any parameters, but no charset that UTF-8 does not include. */
function assertJson(contentType: string): void {
  const type = typeOf(contentType);
  if (type === null || !/^application\/(?:[\w.+-]+\+)?json$/.test(type.essence)) {
    throw new BelegError('INVALID_JSON', { detail: WRONG_MEDIA_TYPE });
  }
  if (!/^(?:utf-?8|us-ascii)$/i.test(type.params.get('charset') ?? 'utf-8')) {
    throw new BelegError('INVALID_JSON', { detail: WRONG_CHARSET });
  }
}

function typeOf(contentType: string): MIMEType | null {
  try {
    return new MIMEType(contentType);
  } catch {
    return null;
  }
}
