import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { idBeside, idOf, numbered, withHashOf } from './ids.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

describe('ids of passages', () => {
  it('are the words of path and headings, as they are spelt without umlauts', () => {
    expect(idOf(['Personal', 'Urlaub 2024', 'Übertrag ins Folgejahr (§ 7)'])).toBe(
      'personal.urlaub-2024.uebertrag-ins-folgejahr-7',
    );
    expect(idOf(['Café', 'Straße'])).toBe('cafe.strasse');
  });

  it('keep the last words and a hash of the whole where they would be too long', () => {
    const id = idOf([
      'Handbuch für Beschäftigte',
      'Arbeitszeit und Urlaub',
      'Übertrag nicht genommener Urlaubstage',
    ]);
    expect(id).toMatch(/uebertrag-nicht-genommener-urlaubstage-[0-9a-f]{8}$/u);
    expect(id.length).toBeLessThanOrEqual(64);
  });

  it('name what has no letter that they know by a hash', () => {
    expect(idOf(['休暇'])).toMatch(/^text-[0-9a-f]{8}$/u);
    expect(idOf(['休暇'])).not.toBe(idOf(['給与']));
  });

  it('lead to the passages beside one of the same section', () => {
    const ids = ['haus.regeln', 'haus.regeln_2', 'haus.regeln_3'];
    expect(ids.map((id) => idBeside(id, 1))).toEqual(['haus.regeln_2', 'haus.regeln_3', 'haus.regeln_4']);
    expect(ids.slice(1).map((id) => idBeside(id, -1))).toEqual(['haus.regeln', 'haus.regeln_2']);
  });

  it('are ids that a base may have, whatever path and headings are', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 100_000 }), (path, number) => {
        const id = idOf(path);
        for (const each of [id, numbered(id, number), withHashOf(id, path[0]!)]) expect(each).toMatch(ID);
      }),
    );
  });
});
