import type { FastifyReply } from 'fastify';

/** True if the client has closed the connection before its answer was sent. */
export function hasGone(reply: FastifyReply): boolean {
  return reply.raw.destroyed && !reply.raw.writableFinished;
}

/**
 * A signal that aborts when the client leaves, and when a stop ends the request. (`request.signal` watches the request,
 * which is over once its body is read.)
 */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const done = reply.server.inWork.add((error) => controller.abort(error));
  reply.raw.once('close', () => {
    done();
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
