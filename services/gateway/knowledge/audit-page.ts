import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveFile, serveFolder } from '../http/static.ts';

const FOLDER = join(import.meta.dirname, 'audit-page');

/** The operators' page: `/audit`, its modules below it; what it shares with the test page comes from `/page`. */
export function serveAuditPage(app: FastifyInstance): void {
  serveFolder(app, FOLDER, { index: '/audit', below: '/audit' });
  serveFile(app, join(FOLDER, 'index.html'), { url: '/audit/' });
}
