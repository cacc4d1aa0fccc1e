import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOG } from '../events/catalog/catalog.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'bench/questions/README.md',
  'bench/questions/dev/README.md',
  ...readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const withoutCode = (text: string): string =>
  text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  return new Set(
    [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).has(anchor);
}

test.each(PAGES)('%s leads nowhere that is not there', (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !/^https?:/.test(link) && !leads(page, link))).toEqual([]);
});

test('the README is short, and every page of docs is linked from it', () => {
  const readme = read('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(10 * 1024);
  for (const page of PAGES.filter((each) => each.startsWith('docs/'))) expect(readme).toContain(`(${page})`);
});

test('the subjects of all events stand in docs/deployment.md', () => {
  const rows = [...read('docs/deployment.md').matchAll(/^\| `([a-z]+)` \| ((?:`[a-z-]+`(?:, )?)+) \|$/gm)];
  const told = rows.flatMap(([, context, events]) =>
    [...(events ?? '').matchAll(/`([a-z-]+)`/g)].map(([, event]) => `${context}.${event}`),
  );
  const subjects = CATALOG.map((event) => event.subject('x').split('.').slice(3, 5).join('.'));
  expect(told.toSorted()).toEqual(subjects.toSorted());
});
