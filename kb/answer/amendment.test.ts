import { describe, expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { amends } from './amendment.ts';

const document = (path: string, stand = '2020-01', more: Partial<Source> = {}): Source => ({
  id: path,
  title: 'Gebühren',
  section: '',
  stand,
  work: path,
  lang: 'de',
  year: null,
  text: 'Der Platz kostet 5 Euro.',
  units: [],
  path,
  ...more,
});

describe('a document that changes another one', () => {
  it.each([
    ['marktordnung.pdf', 'marktordnung-1.-aenderung-2022.pdf'],
    ['satzung/Marktordnung_2019.docx', '2022-marktordnung-aenderung2-website.pdf'],
    ['market-bylaw-2019.md', 'market-bylaw-amendment-no-1.md'],
    ['Märkteordnung.md', '2. Nachtrag zur Märkteordnung.md'],
  ])('is known by its name: %s, %s', (earlier, later) => {
    expect(amends(document(later, '2022-05'), document(earlier))).toBe(true);
    expect(amends(document(earlier), document(later, '2022-05'))).toBe(false);
  });

  it('is known by its headings', () => {
    const earlier = document('marktordnung.pdf');
    const later = document('bekanntmachung-7.pdf', '2022-05', {
      section: '1. Satzung zur Änderung der Marktordnung vom 3. Mai 2019',
    });
    expect(amends(later, earlier)).toBe(true);
  });

  it.each([
    ['of another document', 'friedhofsordnung-1.-aenderung.pdf', '2022-05'],
    ['with the changed text in it', 'marktordnung-inkl-1-aenderung.pdf', '2022-05'],
    ['that is older', 'marktordnung-1.-aenderung.pdf', '2018-05'],
    ['that speaks of changes of something else', 'marktordnung-preise-aendern.pdf', '2022-05'],
  ])('is not one %s', (_, path, stand) => {
    expect(amends(document(path, stand), document('marktordnung.pdf'))).toBe(false);
  });
});
