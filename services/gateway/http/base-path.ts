import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The path below which a proxy serves this, like `/beleg`; empty where there is none. */
    basePath: string;
  }
}

/** A request's target as our routes know it: some proxies cut the base path off, others leave it. */
export function stripBasePath(basePath: string): (target: string) => string {
  if (basePath === '') return (target) => target;
  // The request target may be in absolute form (RFC 9112, 3.2.2). Its scheme and host are kept, because the host
  // check reads them.
  const prefixed = new RegExp(`^(https?://[^/?#]*)?${RegExp.escape(basePath)}(?=/)`);
  return (target) => target.replace(prefixed, '$1');
}

/** Redirects to paths of ours lead through the proxy; the first of them to the page, of whose address people leave out the slash. */
export function redirectBelow(app: FastifyInstance, basePath: string): void {
  app.decorate('basePath', basePath);
  if (basePath === '') return;
  app.addHook('onSend', async (_request, reply) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && location.startsWith('/'))
      void reply.header('location', basePath + location);
  });
  app.get(basePath, { schema: { hide: true } }, (request, reply) =>
    reply.redirect(`/${/\?.*$/s.exec(request.url)?.[0] ?? ''}`),
  );
}
