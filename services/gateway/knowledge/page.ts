import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveFolder } from '../http/static.ts';

/** The test page. */
export function servePage(app: FastifyInstance): void {
  serveFolder(app, join(import.meta.dirname, 'page'));
}
