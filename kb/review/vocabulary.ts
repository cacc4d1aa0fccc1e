import { z } from 'zod';

/** The kind of a quantity's values: how they are read and compared. */
const KINDS = [
  'amount',
  'rate',
  'days',
  'hours',
  'count',
  'duration',
  'date',
  'month',
  'yes_no',
  'choice',
  'code',
] as const;

const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/u, 'may only contain a-z, 0-9 and _, and must start with a letter');
const Text = z.string().trim().min(1).max(300);
const Spellings = z
  .array(z.string().regex(/^[a-z0-9_.-]+$/u, 'may only contain a-z, 0-9, _, . and -'))
  .max(40);

const UNITS: Partial<Record<(typeof KINDS)[number], string>> = {
  amount: 'EUR',
  rate: '%',
  days: 'Tage',
  hours: 'Stunden',
};

/** A quantity in `review.yaml`. */
const Entry = z
  .strictObject({
    also: Spellings.default([]),
    english: Spellings.default([]),
    /**
     * Spellings that may mean this quantity or another one which also lists them here: a value is then judged in each
     * reading.
     */
    maybe: Spellings.default([]),
    kind: z.enum(KINDS),
    unit: Text.optional(),
    per: z.enum(['hour', 'day', 'week', 'month', 'year']).optional(),
    party: z.enum(['employee', 'employer']).optional(),
    for: Text.default('alle Beschäftigten'),
    choices: z.record(z.string().regex(/^\w+$/u), z.array(Text)).optional(),
    otherwise: Text.optional(),
    /**
     * A quantity that surely gives the same information: if it is sent, an unreadable value of this one does not
     * matter.
     */
    settled_by: Name.optional(),
    /** The number of digits in a code. */
    digits: z.coerce.number().int().min(1).max(9).optional(),
    /** The lowest and the highest value, as written. Any other value means something else, and no rule judges it. */
    range: z.tuple([z.coerce.number(), z.coerce.number()]).optional(),
    /**
     * The range for a key that may mean something else: `zusatzbeitrag` of 1,3 is more likely a rate than an amount.
     */
    maybe_range: z.tuple([z.coerce.number(), z.coerce.number()]).optional(),
    /**
     * Whether a negative amount takes an earlier payment back, which no rule recalculates. The minus of other amounts
     * only marks a deduction.
     */
    takes_back: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    /**
     * Whether the quantity is the usual amount and not that of the month. Other amounts of the slip then neither follow
     * from it nor show it.
     */
    usual: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    /** Whether facts of this quantity under different keys are added. */
    adds: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    /** Whether the quantity is a date before the slip's month. */
    past: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    /** The German word for the quantity in a calculation. */
    called: Text.optional(),
    /** The meaning of the quantity in one German sentence. */
    means: Text,
  })
  .refine(({ kind, choices }) => (kind === 'choice') === (choices !== undefined), {
    message: 'must have choices if its kind is choice, and no choices otherwise',
  })
  .transform(({ unit, for: appliesTo, means: explanation, ...entry }) => ({
    ...entry,
    unit: unit ?? UNITS[entry.kind] ?? null,
    appliesTo,
    explanation,
  }));

export const VocabularyFile = z.strictObject({ quantities: z.record(Name, Entry) });

/** A quantity with its key. */
export type Quantity = z.output<typeof Entry> & { readonly key: string };

export function quantitiesOf({ quantities }: z.output<typeof VocabularyFile>): Quantity[] {
  return Object.entries(quantities).map(([key, entry]) => ({ key, ...entry }));
}

/**
 * A folded spelling: without differences of case, umlauts and their transcriptions, blanks, hyphens, underscores and
 * dots.
 *
 * @example foldSpelling('Std.-Löhne')
 * 'stdlohne', like `std_loehne`
 */
export function foldSpelling(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/(?<vowel>[aou])e/gu, '$<vowel>');
}

export const spellingsOf = ({ key, also, english }: Quantity): string[] => [key, ...also, ...english];

/** Spellings that belong to two quantities, so that the meaning would be a guess. */
export function sharedSpellings(quantities: readonly Quantity[]): { key: string; message: string }[] {
  const owners = new Map<string, string>();
  return quantities.flatMap((quantity) =>
    spellingsOf(quantity).flatMap((spelling) => {
      const folded = foldSpelling(spelling);
      const owner = owners.get(folded) ?? quantity.key;
      owners.set(folded, owner);
      return owner === quantity.key
        ? []
        : [{ key: quantity.key, message: `${spelling} is also a spelling of ${owner}` }];
    }),
  );
}

/** The quantities that a key may mean, and the time at its end (`bbg_rv_2021`, `mindestlohn_2022_08`). */
export function readingsOf(
  key: string,
  quantities: readonly Quantity[],
): { quantities: readonly Quantity[]; time: { from: string; to: string } | null } {
  const index = indexOf(quantities);
  const whole = index.get(foldSpelling(key));
  if (whole !== undefined) return { quantities: whole, time: null };
  const dated = DATED.exec(key)?.groups;
  const found = index.get(foldSpelling(dated?.['name'] ?? ''));
  if (dated === undefined || found === undefined) return { quantities: [], time: null };
  const { year, month } = dated;
  return { quantities: found, time: { from: `${year}-${month ?? '01'}`, to: `${year}-${month ?? '12'}` } };
}

const DATED = /^(?<name>.+?)[_.-]?(?<year>(?:19|20)\d{2})(?:[_.-]?(?<month>0[1-9]|1[0-2]))?$/u;
const INDEXES = new WeakMap<readonly Quantity[], ReadonlyMap<string, readonly Quantity[]>>();

/** Quantities by folded spelling, cached for each base. */
function indexOf(quantities: readonly Quantity[]): ReadonlyMap<string, readonly Quantity[]> {
  const known = INDEXES.get(quantities);
  if (known !== undefined) return known;
  const index = new Map<string, Quantity[]>();
  for (const quantity of quantities)
    for (const spelling of [...spellingsOf(quantity), ...quantity.maybe]) {
      const folded = foldSpelling(spelling);
      index.set(folded, [...new Set([...(index.get(folded) ?? []), quantity])]);
    }
  INDEXES.set(quantities, index);
  return index;
}

const BY_KEY = new WeakMap<readonly Quantity[], ReadonlyMap<string, Quantity>>();

/** The quantity with this key. */
export function quantityNamed(name: string, quantities: readonly Quantity[]): Quantity | undefined {
  let known = BY_KEY.get(quantities);
  if (known === undefined) {
    known = new Map(quantities.map((quantity) => [quantity.key, quantity]));
    BY_KEY.set(quantities, known);
  }
  return known.get(name);
}
