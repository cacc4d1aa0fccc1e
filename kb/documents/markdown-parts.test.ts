import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { partsOfMarkdown } from './markdown-parts.ts';
import { markdown, unitsOfMarkdown } from './markdown.ts';

describe('a long text in Markdown', () => {
  it('gives in parts what it gives as a whole', () => {
    const block = fc.constantFrom(
      '# Kopf',
      'Satz mit [Ziel][z] und `code`.',
      'zwei\nZeilen',
      '- eins\n- zwei\n\n  mehr',
      '1. a\n\n   ```\n   x\n   ```',
      '```sh\nText\n\n# keiner\n```',
      '~~~~\n```\n\nText\n~~~~',
      '> Zitat\n\n> mehr',
      '| A | B |\n|---|---|\n| 1 | 2 |',
      '    Code\n\n    mehr',
      'Kopf\n---',
      '[z]: https://example.org',
    );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        (blocks, size) => {
          const text = blocks.join('\n\n');
          expect(partsOfMarkdown(text, size).flatMap(unitsOfMarkdown)).toEqual(unitsOfMarkdown(text));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is read part by part, and says of each that it is done', async () => {
    const text = `---\ntitle: Buch\n---\n${'## Kopf\n\nEin Satz von einiger Länge steht hier.\n\n'.repeat(15_000)}`;
    let parts = 0;
    const document = await markdown.parse(Buffer.from(text), 'a.md', () => parts++);
    expect(document).toMatchObject({ title: 'Buch' });
    expect(document.units).toHaveLength(30_000);
    expect(parts).toBeGreaterThan(1);
  });
});
