import { differs, type Result } from './compare.ts';
import type { Rerun } from './rerun-asks.ts';

/** What came of all of them together. */
export interface RerunSummary {
  readonly asked: number;
  readonly same: number;
  readonly different: number;
  /** Without text: they could not be asked. */
  readonly skipped: number;
  readonly statuses: readonly { readonly before: string; readonly after: string; readonly asks: number }[];
  readonly citations_changed: number;
  readonly text_changed: number;
  /** Milliseconds, the median; `null` without an answer. */
  readonly latency_ms: { readonly before: number | null; readonly after: number | null };
}

/** Counts as they come; keeps numbers alone. */
export class Tally {
  #same = 0;
  #different = 0;
  #skipped = 0;
  #citations = 0;
  #text = 0;
  readonly #statuses = new Map<string, number>();
  readonly #latencies = { before: [] as number[], after: [] as number[] };

  add({ before, after, comparison }: Rerun): void {
    if (after === null || comparison === null) {
      this.#skipped += 1;
      return;
    }
    if (differs(comparison)) this.#different += 1;
    else this.#same += 1;
    if (comparison.added.length + comparison.removed.length > 0) this.#citations += 1;
    if (comparison.text) this.#text += 1;
    const pair = `${before.status} ${after.status}`;
    this.#statuses.set(pair, (this.#statuses.get(pair) ?? 0) + 1);
    note(this.#latencies.before, before);
    note(this.#latencies.after, after);
  }

  get summary(): RerunSummary {
    return {
      asked: this.#same + this.#different,
      same: this.#same,
      different: this.#different,
      skipped: this.#skipped,
      statuses: [...this.#statuses]
        .map(([pair, asks]) => {
          const [before, after] = pair.split(' ') as [string, string];
          return { before, after, asks };
        })
        .sort((a, b) => b.asks - a.asks || a.before.localeCompare(b.before)),
      citations_changed: this.#citations,
      text_changed: this.#text,
      latency_ms: { before: median(this.#latencies.before), after: median(this.#latencies.after) },
    };
  }
}

function note(latencies: number[], { latency_ms }: Result): void {
  if (latency_ms !== null) latencies.push(latency_ms);
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
