import { SEALED_TEXT } from '../../../../events/define.ts';
import type { StoryEntry } from '../../../audit/story/story.ts';
import { grouped } from '../../figures.ts';
import { printable } from '../../terminal.ts';

type Value = StoryEntry['data'][string] | undefined;

/** Characters of a text that a timeline shows; the whole of it is in the JSON. */
const MAX_TEXT = 320;
/** Items of a list. */
const MAX_ITEMS = 8;

/** An event's data in a few words. Whatever of it cannot be read, or is not as expected, says so and fails nothing. */
export class Facts {
  readonly #data: StoryEntry['data'];

  constructor(data: StoryEntry['data']) {
    this.#data = data;
  }

  has(field: string): boolean {
    return this.#data[field] !== null && this.#data[field] !== undefined;
  }

  is(field: string, value: string | number | boolean): boolean {
    return this.#data[field] === value;
  }

  /** On one line, without control characters. */
  text(field: string): string {
    return textOf(this.#data[field]);
  }

  /** Free text as it was written, in quotes. */
  quote(field: string): string {
    const value = this.#data[field];
    if (typeof value !== 'string' || value === SEALED_TEXT) return textOf(value);
    return `“${short(printable(value).replaceAll(/ +/g, ' ').trim(), MAX_TEXT)}”`;
  }

  number(field: string): number {
    const value = this.#data[field];
    return typeof value === 'number' ? value : 0;
  }

  /** `fallback` where there is nothing to list. */
  list(field: string, each: (item: Facts, value: Value) => string, fallback: string = 'none'): string {
    const value = this.#data[field];
    if (!Array.isArray(value)) return textOf(value);
    if (value.length === 0) return fallback;
    const shown = value.slice(0, MAX_ITEMS).map((item) => each(factsOf(item), item));
    const more = value.length - shown.length;
    return `${shown.join(', ')}${more === 0 ? '' : ` and ${grouped(more)} more`}`;
  }

  /** The ids of a list. */
  ids(field: string): string {
    return this.list(field, (_, value) => textOf(value));
  }

  count(field: string): number {
    const value = this.#data[field];
    return Array.isArray(value) ? value.length : 0;
  }

  /** Members of an object. */
  within(field: string): Facts {
    return factsOf(this.#data[field]);
  }

  /** The first characters of a hash. */
  hash(field: string): string {
    return this.has(field) ? `${this.text(field).slice(0, 12)}…` : 'none';
  }

  /** All of it, for events that no words are known for. */
  get all(): string {
    return short(printable(JSON.stringify(this.#data)), MAX_TEXT);
  }
}

function factsOf(value: Value): Facts {
  return new Facts(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {});
}

function textOf(value: Value): string {
  if (value === null || value === undefined) return '(no longer readable)';
  return short(printable(typeof value === 'string' ? value : JSON.stringify(value)), MAX_TEXT);
}

function short(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
