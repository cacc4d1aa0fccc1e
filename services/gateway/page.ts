import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
];

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The test page: three static files, read once, nothing inserted into them. */
export function servePage(app: FastifyInstance): void {
  for (const { path, file, type } of FILES) {
    const content = readFileSync(join(import.meta.dirname, 'page', file));
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      void reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(type).send(content);
    });
  }
}
