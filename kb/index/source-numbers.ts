import { TO_NUMBER, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';

/** The sources that are numbered in one step. */
const SOURCES_A_STEP = 50;
/** Marks a source that is in no other base. */
const NONE = -1;

/** The place of each source in its base, by id. After a change, the table of the large base is used again. */
export class SourceNumbers {
  readonly #numbers: ReadonlyMap<string, number>;
  /** After a change: the new place of each source of the large base, and the places of those that have come, ascending. */
  readonly #moved: Int32Array | null;
  readonly #come: ReadonlyMap<string, number>;

  private constructor(
    numbers: ReadonlyMap<string, number>,
    moved: Int32Array | null = null,
    come: ReadonlyMap<string, number> = new Map(),
  ) {
    this.#numbers = numbers;
    this.#moved = moved;
    this.#come = come;
  }

  static *reading(sources: readonly Source[]): Steps<SourceNumbers> {
    const numbers = new Map<string, number>();
    for (const [number, { id }] of sources.entries()) {
      numbers.set(id, number);
      if (number % SOURCES_A_STEP === 0) yield TO_NUMBER * SOURCES_A_STEP;
    }
    return new SourceNumbers(numbers);
  }

  /** @param places for each of these sources its place in the large base, or below 0 if it has come or has changed */
  changed(sources: readonly Source[], places: Int32Array): SourceNumbers {
    const moved = new Int32Array(this.#numbers.size).fill(NONE);
    const come = new Map<string, number>();
    for (let number = 0; number < places.length; number++) {
      const place = places[number]!;
      if (place < 0) come.set(sources[number]!.id, number);
      else moved[place] = number;
    }
    return new SourceNumbers(this.#numbers, moved, come);
  }

  /** How the sources differ from those of the large base; `null` where these are they. */
  get change(): { readonly moved: Int32Array; readonly come: readonly number[] } | null {
    return this.#moved === null ? null : { moved: this.#moved, come: [...this.#come.values()] };
  }

  of(id: string): number | undefined {
    const come = this.#come.get(id);
    if (come !== undefined) return come;
    const place = this.#numbers.get(id);
    if (place === undefined || this.#moved === null) return place;
    const number = this.#moved[place]!;
    return number === NONE ? undefined : number;
  }
}
