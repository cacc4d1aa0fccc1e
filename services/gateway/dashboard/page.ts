import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveFile, serveFolder } from '../http/static.ts';

const require = createRequire(import.meta.url);

/**
 * The dashboard: `index.html` at `/`, its modules and what it shares with the other page below `/page`, the charting library under
 * a path that names its version.
 */
export function serveDashboardPage(app: FastifyInstance): void {
  serveFolder(app, join(import.meta.dirname, 'page'));
  serveFile(app, join(import.meta.dirname, '..', 'knowledge', 'page', 'dom.js'));
  const library = dirname(require.resolve('uplot/package.json'));
  const { version } = require('uplot/package.json') as { version: string };
  for (const file of ['uPlot.esm.js', 'uPlot.min.css']) {
    serveFile(app, join(library, 'dist', file), {
      url: `/page/uplot-${version}/${file}`,
      immutable: true,
    });
  }
}
