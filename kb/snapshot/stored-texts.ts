import { deserialize } from 'node:v8';

import type { Language, Source } from '../source.ts';
import { toColumns, valuesOf, type Columns } from './columns.ts';
import type { Sealed } from './sealed.ts';

/** What all sources have; their texts are parts of their own, which stay in the file. */
const FIELDS = ['id', 'title', 'section', 'stand', 'work', 'lang', 'year'] as const;

/** A group of sources without their texts. */
export const withoutTexts = (sources: readonly Source[]): Columns => toColumns(sources, FIELDS, ['text']);

type SourceWithoutText = Omit<Source, 'text'>;

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

  /** Makes the sources of a group, of which the first one has this number. */
  sources(group: Columns, first: number): Source[] {
    const [ids, titles, sections, months, works, languages, years] = FIELDS.map((field) =>
      valuesOf(group, field),
    ) as [string[], string[], string[], string[], string[], Language[], (number | null)[]];
    return ids.map((id, place) => {
      const source: SourceWithoutText = {
        id,
        title: titles[place]!,
        section: sections[place]!,
        stand: months[place]!,
        work: works[place]!,
        lang: languages[place]!,
        year: years[place]!,
      };
      const more = group.rest.get(place);
      const whole = new Place(more === undefined ? source : { ...source, ...more }, this, first + place);
      return Object.defineProperty(whole, 'text', TEXT) as unknown as Source;
    });
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
