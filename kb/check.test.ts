import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBase } from './base/files.ts';
import { pointingOpeners } from './check.ts';

const HEAD = '---\nid: A\n---\n';

const found = (body: string) =>
  pointingOpeners([{ path: 'a.md', bytes: Buffer.from(`${HEAD}${body}`), changed: '2024-01' }]).map(
    ({ line, message }) => [line, /^"(.*?)"/u.exec(message)?.[1]],
  );

test.each([
  ['Dasselbe gilt für Minijobber.', 'Dasselbe'],
  ['Das gilt auch im Minijob.', 'Das'],
  ['Dies gilt nicht.', 'Dies'],
  ['Diese Frist ist verlängerbar.', 'Diese'],
  ['Solche Zuschläge sind frei.', 'Solche'],
  ['In diesem Fall endet sie.', 'In diesem'],
  ['Dafür ist ein Antrag nötig.', 'Dafür'],
  ['Hierfür reicht die Textform.', 'Hierfür'],
  ['Ebenfalls frei sind Zuschläge.', 'Ebenfalls'],
  ['Damit gilt die Frist.', 'Damit'],
  ['Er muss das melden.', 'Er'],
  ['This does not apply.', 'This'],
])('%s', (text, opener) => {
  expect(found(text)).toEqual([[4, opener]]);
  expect(found(`Urlaub gibt es.\n\n${text}`)).toEqual([[6, opener]]);
  // Within its paragraph the sentence may refer back.
  expect(found(`Urlaub gibt es. ${text}`)).toEqual([]);
});

test.each([
  'Das Elterngeld beträgt 67 Prozent.',
  'Das Gesetz gilt.',
  'Dieses Gesetz gilt für alle.',
  'Damit der Arbeitgeber zahlt, muss er gemahnt werden.',
  'Dafür, dass er zahlt, muss niemand sorgen.',
  'Es gilt eine Frist.',
  'Dienstwagen sind zu versteuern.',
  'Erben haften.',
  'Thematisch gehört das zusammen.',
  'Frei sind:\n\n- Zuschläge\n- Dies und das',
  '(2) Dies gilt nicht.',
])('nothing in %j', (text) => {
  expect(found(text)).toEqual([]);
});

test('every paragraph of the starter base stands alone', async () => {
  expect(pointingOpeners((await readBase(join(import.meta.dirname, 'corpus'))).files)).toEqual([]);
});
