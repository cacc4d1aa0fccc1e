import { describe, expect, it } from 'vitest';
import { passagesOf } from './documents/passages.ts';
import { unitsOfMarkdown } from './documents/markdown.ts';
import { documentOf } from './documents/unit.ts';
import { pointsElsewhere } from './pointing.ts';
import type { Source } from './source.ts';

function source(markdown: string): Source {
  const units = unitsOfMarkdown(markdown);
  const [passage] = passagesOf(
    documentOf({
      units,
      title: 'Haus',
      stand: undefined,
      lang: undefined,
      url: undefined,
      tags: undefined,
      slides: undefined,
      leftOut: undefined,
    }),
    'haus.md',
  );
  return { ...passage!, stand: '2020-01', work: 'Haus', lang: 'de', year: null, path: 'haus.md' };
}

describe('a passage only leads to other pages', () => {
  it.each([
    ['links', '## Küche\n\n- [Herd anmachen](herd.md)\n- [Ofen putzen](ofen.md)\n'],
    ['links below what they are about', '## Küche\n\nAlles vom Herd bis zum Ofen\n\n- [Herd](herd.md)\n'],
    ['links below another heading', '## Bilder\n\n## Siehe auch\n\n- [Herd](herd.md)\n'],
  ])('with %s', (_, markdown) => {
    expect(pointsElsewhere(source(markdown))).toBe(true);
  });

  it.each([
    ['without links', '## Küche\n\n- Herd\n- Ofen\n'],
    ['with a sentence', '## Küche\n\nDer Herd ist aus.\n\n- [Herd](herd.md)\n'],
    ['with a figure', '## Küche\n\nStrom: 5 Euro\n\n- [Herd](herd.md)\n'],
    ['with an item of its own', '## Küche\n\n- [Herd](herd.md)\n- Der Ofen ist für Brot da\n'],
  ])('not %s', (_, markdown) => {
    expect(pointsElsewhere(source(markdown))).toBe(false);
  });
});
