import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The path below which a proxy serves this application, like `/beleg`; empty if there is none. */
    basePath: string;
  }
}

/** Removes the base path from the target of a request. Some proxies have removed it already. */
export function stripBasePath(basePath: string): (target: string) => string {
  if (basePath === '') return (target) => target;
  // The request target may be in absolute form (RFC 9112, 3.2.2). Its scheme and host are kept, because the host check
  // reads them.
  const prefixed = new RegExp(`^(https?://[^/?#]*)?${RegExp.escape(basePath)}(?=/)`);
  return (target) => target.replace(prefixed, '$1');
}

/** Puts the base path before the paths of our redirects, and sends the base path without a slash to the page. */
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
