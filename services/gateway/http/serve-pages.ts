import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { PAGE_POLICY } from './security-headers.ts';

const PAGES = join(import.meta.dirname, '..', '..', 'pages');
/**
 * The only module that runs both in pages and in services. It imports nothing, because no other module of the services
 * is served.
 */
const PERSONAL_DATA = join(import.meta.dirname, '..', '..', 'foundation', 'personal-data.ts');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files that the pages of both services use. */
const SHARED = ['dom.ts', 'faults.ts', 'http.ts', 'shared.css', 'two-units.ts'];

/**
 * Serves folders of `pages`: the `index.html` of each at its path, all other files below `/pages`, so that an import
 * means the same file to the browser as to the compiler.
 */
export function servePages(app: FastifyInstance, pages: Readonly<Record<string, readonly string[]>>): void {
  serveFile(app, PERSONAL_DATA, '/pages/personal-data.ts');
  for (const file of SHARED) serveFile(app, join(PAGES, file), `/pages/${file}`);
  for (const [folder, addresses] of Object.entries(pages)) {
    for (const url of addresses) serveFile(app, join(PAGES, folder, 'index.html'), url);
    for (const file of readdirSync(join(PAGES, folder))) {
      if (file !== 'index.html' && !file.endsWith('.test.ts'))
        serveFile(app, join(PAGES, folder, file), `/pages/${folder}/${file}`);
    }
  }
}

const require = createRequire(import.meta.url);

/** Serves the charting library at a path that has its version. */
export function serveChartLibrary(app: FastifyInstance): void {
  const library = dirname(require.resolve('uplot/package.json'));
  const { version } = require('uplot/package.json') as { version: string };
  for (const file of ['uPlot.esm.js', 'uPlot.min.css']) {
    serveFile(app, join(library, 'dist', file), `/pages/uplot-${version}/${file}`, { immutable: true });
  }
}

/** `immutable`: the content of this URL never changes, so that a browser need not ask again. */
function serveFile(app: FastifyInstance, path: string, url: string, { immutable = false } = {}): void {
  const caching = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  app.get(url, { schema: { hide: true } }, async (request, reply) => {
    const { content, etag } = load(path, app.basePath);
    void reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': caching, etag });
    if (isCached(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(TYPES[extname(path)]!).send(content);
  });
}

/**
 * Whether a browser or a proxy already has this version. Tags are compared weakly, because a proxy that compresses
 * makes them weak (RFC 9110, 13.1.2).
 */
const isCached = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//u, '') === etag) ===
  true;

const loaded = new Map<string, { content: string; etag: string }>();

/** Matches references that begin at the root, because a page may be requested with or without a slash at its end. */
const FROM_ROOT = /(?<=(?:href=|src=|from )["'])\/(?!\/)/g;

/** Files are read at the first request, so that the start need not wait until types are stripped. */
function load(path: string, basePath: string): { content: string; etag: string } {
  const key = `${basePath} ${path}`;
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const source = readFileSync(path, 'utf8');
  const plain = extname(path) === '.ts' ? stripTypeScriptTypes(source) : source;
  const content = plain.replaceAll(FROM_ROOT, `${basePath}/`);
  const file = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"` };
  loaded.set(key, file);
  return file;
}
