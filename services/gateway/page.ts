import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FOLDER = join(import.meta.dirname, 'page');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The test page: static files, read once, nothing inserted into them. `index.html` at `/`, the others below `/page`. */
export function servePage(app: FastifyInstance): void {
  for (const file of readdirSync(FOLDER)) {
    const content = readFileSync(join(FOLDER, file));
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    const url = file === 'index.html' ? '/' : `/page/${file}`;
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      void reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(TYPES[extname(file)]!).send(content);
    });
  }
}
