import { SEALED_TEXT } from '../../../../events/define.ts';
import type { StoryEntry } from '../../../audit/story/plot.ts';
import { count, grouped } from '../../number-format.ts';
import { printable } from '../../terminal.ts';

type Value = StoryEntry['data'][string] | undefined;

/** Characters of a text that a timeline shows; the whole of it is in the JSON. */
const MAX_TEXT = 320;
/** Items of a list. */
const MAX_ITEMS = 8;

/** The slots of a template: a field, its format, and its noun if it is a count. */
const NAMED = /\{(\w+)([#~"*]?)(?: (\w+))?\}/g;

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

  /**
   * Fields in a sentence: `{price}` as text, on one line and without control characters; `{step#}` a number in groups;
   * `{weights~}` the first characters of a hash; `{question"}` free text as it was written, in quotes; `{citations*}` a list;
   * `{epochs epoch}` so many of something.
   */
  say(template: string): string {
    return template.replaceAll(NAMED, (_, field: string, form: string, noun: string | undefined) => {
      const value = this.#data[field];
      if (noun !== undefined) return count(Array.isArray(value) ? value.length : this.number(field), noun);
      switch (form) {
        case '#':
          return grouped(this.number(field));
        case '~':
          return this.has(field) ? `${textOf(value).slice(0, 12)}…` : 'none';
        case '"':
          if (typeof value !== 'string' || value === SEALED_TEXT) return textOf(value);
          return `“${short(printable(value).replaceAll(/ +/g, ' ').trim(), MAX_TEXT)}”`;
        case '*':
          return this.list(field, (_, item) => textOf(item));
        default:
          return textOf(value);
      }
    });
  }

  /** Like `say`, if there is such a field; else an empty text. */
  sayIf(field: string, template: string): string {
    return this.has(field) ? this.say(template) : '';
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

  /** Members of an object. */
  within(field: string): Facts {
    return factsOf(this.#data[field]);
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
