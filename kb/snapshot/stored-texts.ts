import { deserialize } from 'node:v8';

import { placeIn } from '../base/sorted-place.ts';
import type { Language, Source } from '../source.ts';
import { toColumns, valuesOf, type Columns } from './columns.ts';
import type { Sealed } from './sealed.ts';

/** The fields that all sources have. Their texts are separate parts, which stay in the file. */
const FIELDS = ['id', 'title', 'section', 'stand', 'work', 'lang', 'year'] as const;

/** A group of sources without their texts. */
export const withoutTexts = (sources: readonly Source[]): Columns => toColumns(sources, FIELDS, ['text']);

/** The number of texts in memory: the texts of the sources in recent questions. */
const TEXTS_KEPT = 500;

/** The texts of the sources of a snapshot, which are read on their first use. */
export class StoredTexts {
  readonly #sealed: Sealed;
  readonly #first: number;
  readonly #kept = new Map<string, string>();
  /** The sources that were added so far, sorted by id. */
  readonly sources: Source[] = [];
  /** One property for all sources, so that V8 gives them one shape. A copy of a source has the text itself. */
  readonly #property: PropertyDescriptor;

  /** @param first the part with the text of the first source; the other texts follow */
  constructor(sealed: Sealed, first: number) {
    this.#sealed = sealed;
    this.#first = first;
    const textOf = (id: string): string => this.#text(id);
    this.#property = {
      enumerable: true,
      get(this: Source): string {
        return textOf(this.id);
      },
    };
  }

  /** Creates the sources of the next group. */
  add(group: Columns): void {
    const [ids, titles, sections, months, works, languages, years] = FIELDS.map((field) =>
      valuesOf(group, field),
    ) as [string[], string[], string[], string[], string[], Language[], (number | null)[]];
    for (const [place, id] of ids.entries()) {
      const source: Omit<Source, 'text'> = {
        id,
        title: titles[place]!,
        section: sections[place]!,
        stand: months[place]!,
        work: works[place]!,
        lang: languages[place]!,
        year: years[place]!,
      };
      const rest = group.rest.get(place);
      if (rest !== undefined) Object.assign(source, rest);
      this.sources.push(Object.defineProperty(source as Source, 'text', this.#property));
    }
  }

  /** @throws {Damaged} if the text is damaged */
  #text(id: string): string {
    let text = this.#kept.get(id);
    if (text === undefined) {
      const number = placeIn(this.sources, id, (source) => source.id);
      text = deserialize(this.#sealed.partNow(this.#first + number)) as string;
      this.#kept.set(id, text);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > TEXTS_KEPT) this.#kept.delete(oldest!);
    }
    return text;
  }
}
