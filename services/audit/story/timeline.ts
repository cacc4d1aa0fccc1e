import type { RecordedEvent } from '../../../events/store/store.ts';

/** The number of entries of a story that are kept from its start, and as many from its end. */
const HALF = 500;

/** An event of a story, with the state of its machine after it. */
export interface Told {
  readonly event: RecordedEvent;
  readonly state: string | null;
}

/** Events in order. If there are too many, the first and the last are kept. */
export class Timeline {
  readonly #first: Told[] = [];
  #last: Told[] = [];
  #total = 0;

  /** Merges several timelines by the position of each event in the record. */
  static merge(parts: readonly Timeline[]): Timeline {
    const merged = new Timeline();
    const kept = parts.flatMap((part) => part.kept);
    kept.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
    for (const told of kept) merged.add(told);
    merged.#total = parts.reduce((sum, part) => sum + part.#total, 0);
    return merged;
  }

  add(told: Told): void {
    this.#total += 1;
    if (this.#first.length < HALF) {
      this.#first.push(told);
      return;
    }
    this.#last.push(told);
    // The list is cut only when it has twice its length, because moving it for each event costs more than reading the
    // event.
    if (this.#last.length >= HALF * 2) this.#last = this.#last.slice(-HALF);
  }

  get kept(): readonly Told[] {
    return [...this.#first, ...this.#last.slice(-HALF)];
  }

  get omitted(): number {
    return this.#total - this.kept.length;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }
}
