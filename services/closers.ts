/** What was opened, closed in the opposite order, once. */
export class Closers {
  readonly #closers: (() => Promise<void>)[] = [];

  add(closer: () => Promise<void>): void {
    this.#closers.push(closer);
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).reverse()) await closer();
  }
}
