import { deserialize } from 'node:v8';

import type { Source } from '../source.ts';
import type { Sealed } from './sealed.ts';

/** A source as a snapshot has it: its text is a part of its own, which stays in the file. */
export type SourceWithoutText = Omit<Source, 'text'>;

/** How many texts are in memory: those of the sources that questions are about just now. */
const TEXTS_KEPT = 500;

/** The texts of the sources of a snapshot, which are read when somebody asks for them. */
export class StoredTexts {
  readonly #sealed: Sealed;
  readonly #first: number;
  readonly #kept = new Map<number, string>();

  /** @param first the part with the text of the first source; the others follow */
  constructor(sealed: Sealed, first: number) {
    this.#sealed = sealed;
    this.#first = first;
  }

  /** Makes a source of what a snapshot has of it. */
  source(source: SourceWithoutText, number: number): Source {
    return Object.defineProperty(new Place(source, this, number), 'text', TEXT) as unknown as Source;
  }

  /** @throws {Damaged} where it is not what was written */
  text(number: number): string {
    let text = this.#kept.get(number);
    if (text === undefined) {
      text = deserialize(this.#sealed.partNow(this.#first + number)) as string;
      this.#kept.set(number, text);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > TEXTS_KEPT) this.#kept.delete(oldest!);
    }
    return text;
  }
}

/** Makes nothing new: a class that begins with this writes to the object that is given. */
const Given = function (given: object) {
  return given;
} as unknown as new (given: object) => object;

/** Where the text of a source is. It is written to the source itself, which takes less memory than a map, but nobody else sees it there. */
class Place extends Given {
  readonly #texts: StoredTexts;
  readonly #number: number;

  constructor(source: object, texts: StoredTexts, number: number) {
    super(source);
    this.#texts = texts;
    this.#number = number;
  }

  static textOf(source: object): string {
    const place = source as Place;
    return place.#texts.text(place.#number);
  }
}

/** One for all sources, so that they have the same shape. A copy of a source has the text itself. */
const TEXT: PropertyDescriptor = {
  enumerable: true,
  get(): string {
    return Place.textOf(this);
  },
};
