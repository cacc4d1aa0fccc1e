/** How many of the newest latencies are kept. */
const KEPT = 512;

/** The latencies of the newest 512 answers. */
export class Latency {
  #count = 0;
  #newest: number[] = [];

  /** @param ms milliseconds */
  add(ms: number): void {
    this.#count += 1;
    this.#newest.push(ms);
    if (this.#newest.length > KEPT) this.#newest.shift();
  }

  figures() {
    const ordered = this.#newest.toSorted((a, b) => a - b);
    const quantile = (share: number): number | null => ordered[Math.ceil(share * ordered.length) - 1] ?? null;
    return {
      /** The number of answers since the start. */
      count: this.#count,
      /** In milliseconds; `null` before the first answer. */
      last_ms: this.#newest.at(-1) ?? null,
      p50_ms: quantile(0.5),
      p95_ms: quantile(0.95),
    };
  }
}
