import { readFileSync } from 'node:fs';

/** A JSON Schema of the OpenAPI documents. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The words of the starter base, each once. */
const WORDS = [
  ...new Set(
    readFileSync(new URL('../../kb/corpus/synonyms.txt', import.meta.url), 'utf8').match(
      /\p{Lu}\p{Ll}{3,}/gu,
    ),
  ),
];

/** Fillings for free text: each is the worst case of something. */
export const FILLERS = {
  'short sentences': (n: number) => `${WORDS.slice(0, n).join('? ')}?`,
  'words of the base': (n: number) => WORDS.slice(-n).join(' '),
  'many parts': (n: number) => 'Wie lange dauert der Urlaub und wie hoch ist der Mindestlohn und '.repeat(n),
  'other words': (n: number) =>
    Array.from({ length: n }, (_, i) => `w${((i * 7919) % 46656).toString(36)}`).join(' '),
  'one word': (n: number) => 'Arbeitszeitkonto'.repeat(n),
  digits: (n: number) => `1,${'7'.repeat(n)}`,
  marks: (n: number) => '[(„§ 1'.repeat(n),
  names: (n: number) => 'Urlaub Mindestlohn Krankheit Kündigung Pause Minijob Steuer Rente '.repeat(n),
} satisfies Record<string, (repeats: number) => string>;

/** The documents do not bound addresses and some texts; the services bound the whole request. */
const UNBOUNDED = 2_000;
const LARGEST_NUMBER = 10_000;

interface Choices {
  /** Fills a free text with at least this many characters. */
  readonly fill: (length: number) => string;
  /** Which value of an enumeration is taken, modulo its length. */
  readonly nth: number;
  /** The values of fields that are not free, by name: existing ids, dates, keys. */
  readonly known: (name: string, index: number) => unknown;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The largest value that a schema allows: every field, every list full, every text of the greatest length. */
export function largest(schema: Schema, choices: Choices, name = '', index = 0): unknown {
  const { $ref, properties, items } = schema;
  // For a nullable type, the value of the other type is the largest.
  const [type = 'any'] = [schema.type ?? []].flat();
  if ($ref !== undefined) return largest(choices.schemas[$ref.split('/').at(-1)!]!, choices, name, index);
  const known = choices.known(name, index);
  if (known !== undefined) return known;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return largest(alternatives[0]!, choices, name, index);
  if (schema.enum !== undefined) return schema.enum[choices.nth % schema.enum.length];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([key, part]) => [key, largest(part, choices, key, index)]),
      );
    case 'array':
      return Array.from({ length: schema.maxItems ?? 1_000 }, (_, i) => largest(items!, choices, name, i));
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? LARGEST_NUMBER, LARGEST_NUMBER);
    case 'boolean':
      return choices.nth % 2 === 0;
    case 'string': {
      if (schema.pattern !== undefined)
        throw new Error(`say in known.ts what ${name} (${schema.pattern}) is`);
      const length = schema.maxLength ?? UNBOUNDED;
      return choices.fill(length).slice(0, length).trim();
    }
    default:
      throw new Error(`${name}: a schema of this kind is not known: ${JSON.stringify(schema)}`);
  }
}
