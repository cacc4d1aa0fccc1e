import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from './sentences.ts';

const split = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text);

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['Das gilt ab 1. Mai. Danach nicht.', ['Das gilt ab 1. Mai.', 'Danach nicht.']],
    ['Nach § 3 Abs. 1 Nr. 2 SGB IV. Es gilt.', ['Nach § 3 Abs. 1 Nr. 2 SGB IV.', 'Es gilt.']],
    ['Z. B. Lohn, bzw. Gehalt, d. h. Entgelt.', ['Z. B. Lohn, bzw. Gehalt, d. h. Entgelt.']],
    ['Löhne, Gehälter usw. Sie zählen mit.', ['Löhne, Gehälter usw.', 'Sie zählen mit.']],
    ['Es kostet 3 Mio. Euro. Das ist viel.', ['Es kostet 3 Mio. Euro.', 'Das ist viel.']],
    ['Im 19. Jahrhundert. Ludwig XIV. starb.', ['Im 19. Jahrhundert.', 'Ludwig XIV. starb.']],
    ['Es waren 12. Der Rest ging.', ['Es waren 12.', 'Der Rest ging.']],
    ['Er starb 1936. Sie lebte.', ['Er starb 1936.', 'Sie lebte.']],
    ['Caesar starb 44 v. Chr. in Rom. Ende.', ['Caesar starb 44 v. Chr. in Rom.', 'Ende.']],
    ['E. I. du Pont kam. Er blieb.', ['E. I. du Pont kam.', 'Er blieb.']],
    ['Dr. Smith lives in the U.S. He works.', ['Dr. Smith lives in the U.S.', 'He works.']],
    ['It is art. Nathan said "No." He left.', ['It is art.', 'Nathan said "No."', 'He left.']],
    ['See No. 5 and Art. 7. That is all.', ['See No. 5 and Art. 7.', 'That is all.']],
    [
      'It cost $1.5 million! Why? (Nobody knew.) So.',
      ['It cost $1.5 million!', 'Why?', '(Nobody knew.)', 'So.'],
    ],
    ['Bezüge gem. § 3 Z 17 lit. b EStG. Aus.', ['Bezüge gem. § 3 Z 17 lit. b EStG.', 'Aus.']],
    [
      'Ein Beitrag iHv. 5 Euro. It is a gem. The end.',
      ['Ein Beitrag iHv. 5 Euro.', 'It is a gem.', 'The end.'],
    ],
    ['1.050,50 Euro sind es. Mehr nicht …', ['1.050,50 Euro sind es.', 'Mehr nicht …']],
    [
      'Gehen Sie zu Auftr. / Kunden → Auftrag. Danach OK.',
      ['Gehen Sie zu Auftr. / Kunden → Auftrag.', 'Danach OK.'],
    ],
    ['Gehen Sie zu Auftr. Kunden. Dort ist er.', ['Gehen Sie zu Auftr. Kunden.', 'Dort ist er.']],
    ['Es gelten 20 % MwSt. Vignetten: 0 %. Ende.', ['Es gelten 20 % MwSt. Vignetten: 0 %.', 'Ende.']],
    [
      'Offen Mo. – Fr. 7.30 Uhr, Sa. 9 Uhr. Kommen Sie.',
      ['Offen Mo. – Fr. 7.30 Uhr, Sa. 9 Uhr.', 'Kommen Sie.'],
    ],
    ['Am Fr. Nachmittag nicht. So ist es.', ['Am Fr. Nachmittag nicht.', 'So ist es.']],
    ['Es sind 5 km. Wanderer freut das.', ['Es sind 5 km.', 'Wanderer freut das.']],
    ['Das regelt das KStG. Körperschaften zahlen.', ['Das regelt das KStG.', 'Körperschaften zahlen.']],
    ['Ring us. +49 30 1234 is ours.', ['Ring us.', '+49 30 1234 is ours.']],
  ])('splits %j', (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  it('keeps list items apart and knows what leads into them', () => {
    const sentences = splitSentences(
      '(1) Der Arbeitgeber hat\n1. zu melden,\n2. zu zahlen. Sofort.\n\n(2) Das gilt nicht\n\na)  sonntags,\n\nb)  feiertags.',
    );
    expect(sentences.map(({ text, lead }) => [text, lead])).toEqual([
      ['(1) Der Arbeitgeber hat', null],
      ['1. zu melden,', 0],
      ['2. zu zahlen.', 0],
      ['Sofort.', 0],
      ['(2) Das gilt nicht', null],
      ['a)  sonntags,', 4],
      ['b)  feiertags.', 4],
    ]);
  });

  it('nests lists by the kind of their items', () => {
    const sentences = splitSentences(
      'Versichert sind\nZ 1: Lehrlinge,\nZ 2: Personen, die\nlit. a: arbeiten,\nlit. b: lernen,\nZ 3: andere.',
    );
    expect(sentences.map(({ lead }) => lead)).toEqual([null, 0, 0, 2, 2, 0]);
  });

  it('takes what goes on behind a list for part of it', () => {
    const text =
      'Die Kündigung ist unzulässig\n1. bei Schwangerschaft,\n2. danach,\n\nwenn es bekannt ist. Neu.';
    expect(splitSentences(text).map(({ lead }) => lead)).toEqual([null, 0, 0, 0, 0]);
  });

  it('leaves headings out and joins wrapped lines', () => {
    expect(split('## Titel\nEin Satz über\nzwei Zeilen. Noch einer.')).toEqual([
      'Ein Satz über\nzwei Zeilen.',
      'Noch einer.',
    ]);
  });

  it('takes each row of a table for one, under the headings of its own table', () => {
    const text =
      'Die Sätze:\n| Jahr | Satz |\n|--|--|\n| 2021 | 1. Der eine |\n| A | B |\n\n| C | D |\n| - | - |\n| 1 | 2 |\n\nNeu.';
    expect(splitSentences(text).map(({ text, lead }) => [text, lead])).toEqual([
      ['Die Sätze:', null],
      ['| Jahr | Satz |', null],
      ['| 2021 | 1. Der eine |', 1],
      ['| A | B |', 1],
      ['| C | D |', null],
      ['| 1 | 2 |', 4],
      ['Neu.', null],
    ]);
  });

  it('ends no sentence at an abbreviation, an ordinal or before a sign that joins, whatever stands around it', () => {
    const words = fc.array(fc.constantFrom('Kunden', 'zahlen', 'Beleg', 'prüfen', 'heute', 'Steuer'), {
      minLength: 1,
      maxLength: 4,
    });
    const within = fc.constantFrom(
      'z. B. Kaffee',
      'd. h. morgen',
      'Nr. 5',
      'Abs. 2',
      'am 3. Mai',
      'e.g. Tea',
      'bzw. Tee',
      'Auftr. / Kunden',
      'MwSt. / Vignetten',
      'inkl. Versand',
      'Dr. Maier',
      'ca. 20 Euro',
      'Betr. Vorgang',
      'Tel. 0800 1',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, within), { minLength: 1, maxLength: 3 }),
        words,
        (pieces, last) => {
          const first = [...pieces.flatMap(([before, cut]) => [...before, cut]), ...last].join(' ');
          const told = `Wir ${first}.`;
          expect(split(`${told} Danach ist Schluss.`)).toEqual([told, 'Danach ist Schluss.']);
        },
      ),
    );
  });

  it.each(['Das Gesetz (GVBl. 1992 I, S. 534) gilt.', '§ 4. Mitgliedschaft', 'Article 7. Quorum'])(
    'keeps together what belongs to a number: %s',
    (text) => expect(splitSentences(text).map((sentence) => sentence.text)).toEqual([text]),
  );

  it('gives exact, ordered, non-empty stretches of any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'Der ',
            'x',
            '. ',
            '1. ',
            '\n',
            '\n\n',
            '- ',
            'U.S. ',
            '„Ja.“ ',
            '…',
            '# ',
            'a) ',
            '| ',
            '|-|',
          ),
        ),
        (pieces) => {
          const text = pieces.join('');
          let last = 0;
          splitSentences(text).forEach((sentence, i) => {
            expect(sentence.text).not.toBe('');
            expect(text.slice(sentence.start, sentence.start + sentence.text.length)).toBe(sentence.text);
            expect(sentence.start).toBeGreaterThanOrEqual(last);
            expect(sentence.lead ?? -1).toBeLessThan(i);
            last = sentence.start + sentence.text.length;
          });
        },
      ),
    );
  });
});
