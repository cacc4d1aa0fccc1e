import { expect, it } from 'vitest';

import type { BaseFile } from '../base/files.ts';
import { previewsOf, type Preview } from './preview.ts';

const file = (text: string, path = 'a/urlaub.md') => ({ path, bytes: Buffer.from(text), changed: '2024-05' });
const previewOf = async (each: BaseFile): Promise<Preview> => (await previewsOf([each]))[0]!;
const HEAD = 'id: A-1\ntitle: T\nsection: ""\nstand: 2024-01\nwork: W\n';

it('shows the passages of a document in its order, with the month of the file where it has none', async () => {
  const { sources } = await previewOf(file('# Urlaub\n\n## Zeit\n\nIm Mai.\n\n## Antrag\n\nSchriftlich.\n'));
  expect(sources.map(({ id, stand, undated, text }) => [id, stand, undated, text])).toEqual([
    ['a.urlaub.zeit', '2024-05', true, 'Im Mai.'],
    ['a.urlaub.antrag', '2024-05', true, 'Schriftlich.'],
  ]);
});

it('shows a document with nothing but a title', async () => {
  const { sources } = await previewOf(file('# Nur eine Überschrift\n'));
  expect(sources).toMatchObject([{ id: 'a.urlaub', text: 'Nur eine Überschrift' }]);
});

it('shows a source of our own as it is', async () => {
  const { sources } = await previewOf(file(`---\n${HEAD}---\nEr gilt.\n`));
  expect(sources).toMatchObject([{ id: 'A-1', text: 'Er gilt.' }]);
});

it.each([
  ['has no text', '<!-- nur eine Bemerkung -->\n'],
  ['stand must be a year and month, YYYY-MM', `---\n${HEAD.replace('2024-01', 'heute')}---\nEr gilt.\n`],
])('says that it %s', async (reason, text) => {
  expect(await previewOf(file(text))).toEqual({
    path: 'a/urlaub.md',
    sources: [],
    leftOut: {},
    fault: expect.stringContaining(reason),
  });
});

it('shows several files in their order, also where one of them cannot be read', async () => {
  const files = [file('Im Mai.', 'a.md'), file('', 'b.md'), file(`---\n${HEAD}---\nEr gilt.\n`, 'c.md')];
  expect(
    (await previewsOf(files)).map(({ path, sources, fault }) => [path, sources[0]?.text ?? fault]),
  ).toEqual([
    ['a.md', 'Im Mai.'],
    ['b.md', 'has no text'],
    ['c.md', 'Er gilt.'],
  ]);
});
