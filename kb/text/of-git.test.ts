import { describe, expect, it } from 'vitest';

import { parseDocuments } from '../documents/parse.ts';
import { contentsOf, documentsIn } from '../base/load.ts';
import { leftByGit } from './of-git.ts';

const conflict = (before = '') =>
  `${before}<<<<<<< HEAD\nUrlaub: 28 Tage\n=======\nUrlaub: 30 Tage\n>>>>>>> neue-regel\n`;
const pointer =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

describe('a file of which Git left something else', () => {
  it.each([
    ['a conflict', conflict('# Urlaub\n\n'), 3],
    ['with lines that Windows ends', conflict('# Urlaub\n').replaceAll('\n', '\r\n'), 2],
    [
      'with the common text of diff3',
      conflict().replace('=======', '||||||| alt\nUrlaub: 24 Tage\n======='),
      1,
    ],
    ['a conflict below a rule', conflict('----\n\n'), 3],
    ['a fence that differs', '<<<<<<< HEAD\n```js\n=======\n```ts\n>>>>>>> neu\n1\n```\n', 1],
    ['a conflict below a fence', conflict('```\nx\n```\n'), 4],
    ['a pointer', pointer, 1],
  ])('is known: %s', (_, text, line) => {
    expect(leftByGit('a.md', Buffer.from(text))?.line).toBe(line);
  });

  it.each([
    ['a fence that shows a conflict', `\`\`\`\n${conflict()}\`\`\`\n`],
    ['a longer fence around one', `\`\`\`\`\n\`\`\`\n${conflict()}\`\`\`\n\`\`\`\`\n`],
    ['a fence below a heading', `Konflikte\n----\n\n~~~\n${conflict()}~~~\n`],
    ['an indented example', conflict().replaceAll(/^/gmu, '    ')],
    ['a heading that is underlined', 'Urlaub\n=======\n\n30 Tage.\n'],
    ['an arrow', 'a <<<<<<< b >>>>>>> c\n=======\n'],
    ['a text about Git LFS', `Ein Zeiger sieht so aus:\n${pointer}`],
  ])('is no such file: %s', (_, text) => {
    expect(leftByGit('a.md', Buffer.from(text))).toBeUndefined();
  });

  it.each([
    ['a block of AsciiDoc', `----\n${conflict()}----\n`],
    ['a longer one', `-----\n----\n${conflict()}-----\n`],
    ['one of literal text', `....\n${conflict()}....\n`],
  ])('is no such file: %s', (_, text) => {
    expect(leftByGit('a.adoc', Buffer.from(text))).toBeUndefined();
  });

  it('is left out with its reason, whatever kind of file it is', async () => {
    const source = `---\nid: u\ntitle: Urlaub\nsection: A\nstand: 2024-01\nwork: W\n---\n\n${conflict()}`;
    const files = [
      { path: 'a.md', bytes: Buffer.from(`# Urlaub\n\n${conflict()}`) },
      { path: 'b.md', bytes: Buffer.from(source) },
      { path: 'c.html', bytes: Buffer.from(`<h1>Urlaub</h1>\n<p>\n${conflict()}</p>`) },
      { path: 'd.pdf', bytes: Buffer.from(pointer) },
      { path: 'e.docx', bytes: Buffer.from(pointer) },
      { path: 'synonyms.txt', bytes: Buffer.from(conflict()) },
    ].map((file) => ({ ...file, changed: '2024-01' }));
    const contents = contentsOf(files, await parseDocuments(documentsIn(files), { cacheDir: null }), null);
    expect(contents.map(({ path, sources, faults }) => [path, sources.length, faults[0]?.message])).toEqual([
      ...['a.md', 'b.md', 'c.html'].map((path) => [path, 0, expect.stringContaining('Git merge')]),
      ...['d.pdf', 'e.docx'].map((path) => [path, 0, expect.stringContaining('git lfs pull')]),
      ['synonyms.txt', 0, expect.stringContaining('Git merge')],
    ]);
  });
});
