import { describe, expect, it } from 'vitest';

import { withoutPagers } from './pager.ts';
import type { Unit } from './unit.ts';

const paragraph = (text: string): Unit => ({ kind: 'paragraph', text });
const row = (...cells: readonly (readonly [head: string, text: string])[]): Unit => ({
  kind: 'row',
  cells: cells.map(([head, text]) => ({ head, text })),
});

describe('what leads to the pages before and after', () => {
  it('is left out of any kind of document and counted, with the titles of those pages', () => {
    const units = [
      paragraph('<<< Zurück Kapitel 18. Budget Weiter >>>'),
      paragraph('Ein Budget ist ein Plan.'),
      row(['<<< Zurück', '4.4. Abgleich'], ['Zum Anfang', 'Nach oben'], ['Weiter >>>', '4.6. Alles']),
      paragraph('← Back Home Next →'),
      paragraph('Kapitel 18. Budget Nach oben 18.2. Ein Budget erstellen'),
    ];
    expect(withoutPagers({ units, leftOut: { navigation: 1, footer: 2 } })).toEqual({
      units: [paragraph('Ein Budget ist ein Plan.')],
      leftOut: { navigation: 5, footer: 2 },
    });
  });

  it('is left out where it leads back by itself', () => {
    const text = paragraph('Die Sitzungen sind öffentlich.');
    const units = ['← Alle Themen', 'Zurück zur Übersicht', '↑ Nach oben', 'Back to top', '« Zurück'];
    expect(withoutPagers({ units: [text, ...units.map(paragraph)] }).units).toEqual([text]);
  });

  it.each([
    '← Alle Tasten links davon löschen ein Zeichen der Zeile',
    'Zurück zur Übersicht kommt man mit der Taste Esc.',
    '«Zurück zur Natur» ist ein Satz von Rousseau, und weiter ging er nicht.',
    '← Rücktaste: löscht das Zeichen zurück bis zum Anfang',
    'Datei → Öffnen → Zurück',
    'Nach oben: die Taste blättert.',
  ])('keeps a text with an arrow that leads nowhere: %s', (text) => {
    const document = { units: [paragraph(text)] };
    expect(withoutPagers(document)).toBe(document);
  });

  it('keeps a document that would be empty without it', () => {
    const document = { units: [paragraph('<< Back Next >>')] };
    expect(withoutPagers(document)).toBe(document);
  });
});
