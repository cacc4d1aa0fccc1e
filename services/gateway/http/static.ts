import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Static files, read once, nothing inserted into them: `index.html` at `index`, the others below `below`. */
export function serveFolder(
  app: FastifyInstance,
  folder: string,
  { index = '/', below = '/page' }: { index?: string; below?: string } = {},
): void {
  for (const file of readdirSync(folder)) {
    serveFile(app, join(folder, file), { url: file === 'index.html' ? index : `${below}/${file}` });
  }
}

/** `immutable`: what is at this URL never changes, so that a browser need not ask again. */
export function serveFile(
  app: FastifyInstance,
  path: string,
  { url = `/page/${basename(path)}`, immutable = false }: { url?: string; immutable?: boolean } = {},
): void {
  const content = readFileSync(path);
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  const caching = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  app.get(url, { schema: { hide: true } }, async (request, reply) => {
    void reply.headers({ 'content-security-policy': POLICY, 'cache-control': caching, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(TYPES[extname(path)]!).send(content);
  });
}
