import { SEALED_TEXT } from '../../../../events/define.ts';
import type { StoryEntry } from '../../../audit/story/plot.ts';
import { count, grouped } from '../../number-format.ts';
import { printable } from '../../terminal.ts';

type Value = StoryEntry['data'][string] | undefined;

/** The most characters of a text in a timeline; the JSON has the whole text. */
const MAX_TEXT = 320;
/** The most items of a list in a timeline. */
const MAX_ITEMS = 8;

/** The slots of a template: a field, its format, and its noun if it is a count. */
const NAMED = /\{(\w+)([#~"*]?)(?: (\w+))?\}/g;

/** An event's data in a few words. A value that cannot be read is reported in its place and throws nothing. */
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
   * Fills a template with fields: `{price}` is text on one line without control characters; `{step#}` a number with
   * separators; `{weights~}` the first characters of a hash; `{question"}` free text in quotes; `{citations*}` a list;
   * `{epochs epoch}` a count with its noun.
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

  /** `say` if the field exists, otherwise an empty text. */
  sayIf(field: string, template: string): string {
    return this.has(field) ? this.say(template) : '';
  }

  number(field: string): number {
    const value = this.#data[field];
    return typeof value === 'number' ? value : 0;
  }

  /** Returns `fallback` if the list is empty. */
  list(field: string, each: (item: Facts, value: Value) => string, fallback: string = 'none'): string {
    const value = this.#data[field];
    if (!Array.isArray(value)) return textOf(value);
    if (value.length === 0) return fallback;
    const shown = value.slice(0, MAX_ITEMS).map((item) => each(factsOf(item), item));
    const more = value.length - shown.length;
    return `${shown.join(', ')}${more === 0 ? '' : ` and ${grouped(more)} more`}`;
  }

  /** The facts of an object within the data. */
  within(field: string): Facts {
    return factsOf(this.#data[field]);
  }

  /** The whole data, for events that have no words of their own. */
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
