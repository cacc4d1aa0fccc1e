import { showFault } from './faults.js';
import { createRows } from './rows.js';
import { SAMPLES } from './samples.js';
import { keyOf } from './table.js';
import { language, texts } from './texts.js';

const MOST_CHARACTERS = { key: 200, value: 200, note: 500, label: 200, result: 200, basis: 200 };

const form = document.querySelector('#ask');
const review = document.querySelector('#review');
const question = document.querySelector('#question');
const single = ['label', 'result', 'basis'].map((name) => review.querySelector(`#computation-${name}`));
const COLUMNS = [
  { name: 'key', label: texts.factKey },
  { name: 'value', label: texts.factValue },
  { name: 'note', label: texts.factNote, placeholder: texts.factNote },
];
const facts = createRows(review.querySelector('#facts'), COLUMNS);
const components = createRows(review.querySelector('#components'), COLUMNS.slice(0, 2));

for (const button of review.querySelectorAll('[data-sample]')) {
  button.addEventListener('click', () => fill(SAMPLES[language][button.dataset.sample]));
}
review.querySelector('#clear').addEventListener('click', () => {
  fill({ question: '', context: { facts: [], computation: { components: [] } } });
  question.focus();
});

export const isReview = () => form.querySelector('[name=mode]:checked').value === 'review';

/** What is to be reviewed, as the contract has it: parts with nothing in them are left out, all of it where nothing is given. */
export function readContext() {
  const { facts, components, given } = readFields();
  const computation = {
    ...Object.fromEntries(given.map(({ name, value }) => [name, value.trim()])),
    ...(components.length === 0 ? {} : { components: components.map(({ values }) => values) }),
  };
  const context = {
    ...(facts.length === 0 ? {} : { facts: facts.map(({ values }) => values) }),
    ...(Object.keys(computation).length === 0 ? {} : { computation }),
  };
  return Object.keys(context).length === 0 ? undefined : context;
}

/** Marks each field that the contract would refuse. */
export function checkContext() {
  const { facts, components, given } = readFields();
  for (const { values, fields } of [...facts, ...components]) {
    for (const name of ['key', 'value'])
      if (values[name] === undefined) showFault(fields[name], texts.missing);
    const { key } = values;
    if (key !== undefined && !/^[a-z0-9_.-]+$/.test(key)) showFault(fields.key, texts.keyWrong(keyOf(key)));
    for (const [name, value] of Object.entries(values)) checkLength(fields[name], name, value);
  }
  const computed = given.length > 0 || components.length > 0;
  for (const field of single) {
    const value = field.value.trim();
    if (computed && field.required && value === '') showFault(field, texts.missing);
    checkLength(field, field.name, value);
  }
}

/** The field that a path of the service's means, as it was sent last; `null` for one that is not here. */
export function fieldAt(path) {
  const { facts, components } = readFields();
  const [, part, index, name] =
    /^context\.(?:computation\.)?(facts|components)\.(\d+)\.(key|value|note)$/.exec(path) ?? [];
  if (part !== undefined) return { facts, components }[part][index]?.fields[name] ?? null;
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

function checkLength(field, name, value) {
  if (value.length > MOST_CHARACTERS[name]) showFault(field, texts.tooLong(MOST_CHARACTERS[name]));
}

function fill({ question: words, context }) {
  question.value = words;
  facts.fill(context.facts);
  for (const field of single) field.value = context.computation[field.name] ?? '';
  components.fill(context.computation.components);
  for (const field of [question, ...single]) field.dispatchEvent(new Event('input'));
}
