import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BelegError } from '../../../events/errors.ts';
import { sendProblem } from './problem.ts';

/** 405 with `Allow` for a path that exists under other methods, 404 for one that does not. Before any route is added. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.split(/(:[^/]+|\*)/).map((part, i) => {
      if (i % 2 === 0) return RegExp.escape(part);
      return part === '*' ? '.*' : '[^/]+';
    });
    routes.push({ pattern: new RegExp(`^${pattern.join('')}$`), methods: [method].flat() });
  });

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    // A path that only looks like a route once it is decoded is none of ours.
    if (allowed.length === 0 || allowed.includes(request.method))
      return sendProblem(reply, new BelegError('NOT_FOUND'));
    void reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return sendProblem(reply, new BelegError('METHOD_NOT_ALLOWED'));
  });
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split(/[?#]/, 1)[0]!;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
