/** The requests in work of a server. A stop answers those that it cannot wait for with an error. */
export class InWork {
  readonly #ends = new Set<(error: Error) => void>();

  /** Calls `end` if the request must end, until the returned function is called. */
  add(end: (error: Error) => void): () => void {
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  /** Settles as `work` does, or rejects with the error of the end if that comes first. */
  answer<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const done = this.add(reject);
    work.then(resolve, reject).finally(done);
    return promise;
  }

  end(error: Error): void {
    for (const end of this.#ends) end(error);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    inWork: InWork;
  }
}
