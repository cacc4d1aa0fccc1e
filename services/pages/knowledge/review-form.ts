import type { z } from 'zod';
import type { ReviewContext } from '../../../events/messages/knowledge.ts';
import { find } from '../dom.ts';
import { showFault } from '../faults.ts';
import { inLanguage } from './languages.ts';
import { createRows } from './input-rows.ts';
import { keyOf } from './pasted-table.ts';
import { language, texts } from './page-language.ts';
import { MOST } from './request-limits.ts';

type Context = z.output<typeof ReviewContext>;

const form = find('#ask');
const question = find('#question', HTMLTextAreaElement);
const single = ['label', 'result', 'basis'].map((name) => find(`#computation-${name}`, HTMLInputElement));
const COLUMNS = [
  { name: 'key', label: texts.factKey },
  { name: 'value', label: texts.factValue },
  { name: 'note', label: texts.factNote, placeholder: texts.factNote },
];
const facts = createRows(find('#facts'), texts.addFact, COLUMNS);
const components = createRows(find('#components'), texts.addComponent, COLUMNS.slice(0, 2));

for (const name of ['right', 'wrong'] as const) {
  find(`[data-sample=${name}]`).addEventListener('click', () => fillSample(SAMPLES[name]));
}
find('#clear').addEventListener('click', () => {
  fill('', {});
  question.focus();
});

export const isReview = (): boolean => form.querySelector('[name=mode][value=review]:checked') !== null;

/**
 * The context of a review in the form of the API. Empty parts are left out; without any part the result is `undefined`.
 */
export function readContext(): Context | undefined {
  const { facts, components, given } = readFields();
  const computation = {
    ...Object.fromEntries(given.map(({ name, value }) => [name, value.trim()])),
    ...(components.length === 0 ? {} : { components: components.map(({ values }) => values) }),
  };
  const context = {
    ...(facts.length === 0 ? {} : { facts: facts.map(({ values }) => values) }),
    ...(Object.keys(computation).length === 0 ? {} : { computation }),
  };
  // A missing value is marked by the form, or reported by the service.
  return Object.keys(context).length === 0 ? undefined : (context as Context);
}

/** Marks each field that the service would reject. */
export function checkContext(): void {
  const { facts, components, given } = readFields();
  for (const { values, fields } of [...facts, ...components]) {
    for (const name of ['key', 'value'])
      if (values[name] === undefined) showFault(fields[name]!, texts.missing);
    const { key } = values;
    if (key !== undefined && !/^[a-z0-9_.-]+$/.test(key)) showFault(fields.key!, texts.keyWrong(keyOf(key)));
    for (const [name, value] of Object.entries(values)) checkLength(fields[name]!, name, value);
  }
  const computed = given.length > 0 || components.length > 0;
  for (const field of single) {
    const value = field.value.trim();
    if (computed && field.required && value === '') showFault(field, texts.missing);
    checkLength(field, field.name, value);
  }
}

/**
 * The field for a path in the service's error, by the order in which fields were sent; `null` if the page does not have
 * it.
 */
export function fieldAt(path: string): HTMLInputElement | null {
  const { facts, components } = readFields();
  const [, part, index, name] =
    /^context\.(?:computation\.)?(facts|components)\.(\d+)\.(key|value|note)$/.exec(path) ?? [];
  if (part !== undefined) {
    const rows = part === 'facts' ? facts : components;
    return rows[Number(index)]?.fields[name!] ?? null;
  }
  const [, given] = /^context\.computation\.(label|result|basis)$/.exec(path) ?? [];
  return single.find(({ name }) => name === given) ?? null;
}

function readFields() {
  return {
    facts: facts.read(),
    components: components.read(),
    given: single.filter(({ value }) => value.trim() !== ''),
  };
}

function checkLength(field: HTMLInputElement, name: string, value: string): void {
  const most = name === 'note' ? MOST.factNote : MOST.fact;
  if (value.length > most) showFault(field, texts.tooLong(most));
}

function fill(words: string, context: Context): void {
  question.value = words;
  const { label = '', result = '', basis = '', components: parts = [] } = context.computation ?? {};
  facts.fill(context.facts ?? []);
  [label, result, basis].forEach((value, i) => (single[i]!.value = value));
  components.fill(parts);
  for (const field of [question, ...single]) field.dispatchEvent(new Event('input'));
}

/**
 * Two small reviews to fill the form, by the law of March 2022. In one the wage is at least the minimum wage and the
 * sum is correct; in the other neither holds.
 */
const SAMPLES = {
  right: { wage: 9.82, base: 1_571.2, bonus: 28.8, result: 1_600 },
  wrong: { wage: 9.6, base: 1_536, bonus: 28.8, result: 1_574.8 },
};
const NAMES = {
  wage: { de: 'stundenlohn', en: 'hourly_wage' },
  month: { de: 'März 2022', en: 'March 2022' },
  label: { de: 'Bruttolohn März 2022', en: 'Gross pay March 2022' },
  basis: {
    de: '160 Stunden zum Stundenlohn und eine Zulage',
    en: '160 hours at the hourly wage, and a bonus',
  },
  base: { de: 'grundlohn', en: 'base_pay' },
  bonus: { de: 'zulage', en: 'bonus' },
  currency: { de: '€', en: 'EUR' },
};

function fillSample({ wage, base, bonus, result }: (typeof SAMPLES)['right']): void {
  const names = inLanguage(NAMES, language);
  const amount = (value: number) =>
    `${value.toLocaleString(language, { minimumFractionDigits: 2 })} ${names.currency}`;
  fill(texts.reviewExample, {
    facts: [{ key: names.wage, value: amount(wage), note: names.month }],
    computation: {
      label: names.label,
      result: amount(result),
      basis: names.basis,
      components: [
        { key: names.base, value: amount(base) },
        { key: names.bonus, value: amount(bonus) },
      ],
    },
  });
}
