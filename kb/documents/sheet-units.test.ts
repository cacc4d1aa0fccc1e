import { describe, expect, it } from 'vitest';

import { unitsOfSheet } from './sheet-units.ts';

/** Lines of a sheet with `|` between cells: its lines of text, and rows below their caption. */
const told = (...lines: string[]): string[] =>
  unitsOfSheet(lines.map((line) => line.split('|').map((cell) => cell.trim()))).map((unit) => {
    if (unit.kind !== 'row') return unit.kind === 'paragraph' ? unit.text : unit.kind;
    const cells = unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ');
    return unit.caption === undefined ? cells : `[${unit.caption}] ${cells}`;
  });

describe('a sheet', () => {
  it('has a title of two cells above a wider row of heads', () => {
    expect(told('In Mio. CHF||Januar bis Juni 2023', 'Zone|Umsatz|Gewinn', 'Nord|12|3', 'Süd|9|2')).toEqual([
      'In Mio. CHF; Januar bis Juni 2023',
      '[In Mio. CHF; Januar bis Juni 2023] Zone: Nord; Umsatz: 12; Gewinn: 3',
      '[In Mio. CHF; Januar bis Juni 2023] Zone: Süd; Umsatz: 9; Gewinn: 2',
    ]);
  });

  it('has a title above an empty row, and heads above one', () => {
    expect(told('Stand:|Mai', '||', '|Umsatz|Gewinn|Kosten', '||', 'Nord|12|3|1', 'Süd|9|2|1')).toEqual([
      'Stand: Mai',
      '[Stand: Mai] Nord; Umsatz: 12; Gewinn: 3; Kosten: 1',
      '[Stand: Mai] Süd; Umsatz: 9; Gewinn: 2; Kosten: 1',
    ]);
  });

  it('keeps a row of words that is as full as the others among the data', () => {
    expect(told('Nr|Risiko|Eigner||', 'eins|Feuer|Anna|hoch|offen', 'zwei|Wasser|Bo|3|zu').join()).toContain(
      'Feuer',
    );
    const prices = told(
      'Raum|Tag|Stunde|Woche',
      'Probe|120|60|',
      'Saal|auf Anfrage|nach Absprache|entfällt',
      'Bühne|250|100|50',
      'Küche|80|30|20',
    );
    expect(prices).toContain('Raum: Bühne; Tag: 250; Stunde: 100; Woche: 50');
    expect(
      told('Mo|Anna|Bo|Cem|Dora|Anna', 'Di|Bo|Cem|Dora|Anna|Bo', 'Mi|Cem|Dora|Anna|Bo|Cem')[0],
    ).toContain('Mo');
  });

  it('has heads of which two tables side by side have one in common, and no row of data as heads', () => {
    expect(told('Tag|Ton|Bild|Kamera|Name|Kamera', '1|Anna|Bo|Cem|Anna|3', '2|Bo|Eva|Cem|Bo|4')).toEqual([
      'Tag: 1; Ton: Anna; Bild: Bo; Kamera: Cem; Name: Anna; Kamera: 3',
      'Tag: 2; Ton: Bo; Bild: Eva; Kamera: Cem; Name: Bo; Kamera: 4',
    ]);
    expect(told('Ada|ja|nein|offen|Bo|ja', 'Eva|ja|ja|nein|Bo|ja')).toEqual([
      'Ada; ja; nein; offen; Bo; ja',
      'Eva; ja; ja; nein; Bo; ja',
    ]);
  });

  it('has heads in two rows, of which the second names what the first leaves open, and none of their copies', () => {
    expect(
      told('ID|Risiko||Schutz||Stand', '|Wert|Ort|C|I|', 'R1|hoch|Saal|3|2|offen', 'R2|klein|Hof|1|2|zu'),
    ).toEqual([
      'ID: R1; Risiko Wert: hoch; Risiko Ort: Saal; Schutz C: 3; Schutz I: 2; Stand: offen',
      'ID: R2; Risiko Wert: klein; Risiko Ort: Hof; Schutz C: 1; Schutz I: 2; Stand: zu',
    ]);
    expect(told('Nr|Ort|Zahl', 'A|Ulm|3', 'Nr|Ort|Zahl', 'B|Kiel|4')).toEqual([
      'Nr: A; Ort: Ulm; Zahl: 3',
      'Nr: B; Ort: Kiel; Zahl: 4',
    ]);
  });

  it('has a wider table below another one, with its heads between the rows', () => {
    expect(
      told(
        'Arbeit|3000|150',
        'Summe||450',
        'Funktion|Anzahl|Faktor|Punkte',
        'Eingaben|10|4|40',
        'Ausgaben|3|5|15',
      ),
    ).toEqual([
      'Arbeit; 3000; 150',
      'Summe; 450',
      'Funktion: Eingaben; Anzahl: 10; Faktor: 4; Punkte: 40',
      'Funktion: Ausgaben; Anzahl: 3; Faktor: 5; Punkte: 15',
    ]);
  });

  it('has several tables, each with its title and heads, without empty rows between them', () => {
    expect(
      told(
        'Umsatz 2023||',
        'Zone|Markt|Betrag',
        'Nord|In|12',
        'Süd|Aus|9',
        'Umsatz|2022|',
        'Zone|Markt|Betrag',
        'Nord|In|8',
      ),
    ).toEqual([
      'Umsatz 2023',
      '[Umsatz 2023] Zone: Nord; Markt: In; Betrag: 12',
      '[Umsatz 2023] Zone: Süd; Markt: Aus; Betrag: 9',
      'Umsatz; 2022',
      '[Umsatz; 2022] Zone: Nord; Markt: In; Betrag: 8',
    ]);
  });

  it('tells all heads where a column is empty', () => {
    expect(told('Nr|Name|Unterschrift', '1|Anna|', '2|Bert|')).toEqual([
      'Nr; Name; Unterschrift',
      'Nr: 1; Name: Anna',
      'Nr: 2; Name: Bert',
    ]);
  });

  it('has heads in several rows, of which the upper ones name several columns', () => {
    const rows = ['Alle|12|3|9|2', 'Neue|1|3|4|2'];
    const groups = ['Betriebe und Personen||||', 'Größe|Nord||Süd|', '|Betriebe|Personen|Betriebe|Personen'];
    expect(told(...groups, ...rows).at(-1)).toBe(
      '[Betriebe und Personen] Größe: Neue; Nord Betriebe: 1; Nord Personen: 3; Süd Betriebe: 4; Süd Personen: 2',
    );
    expect(told(...groups, 'groesse|nord_b|nord_p|sued_b|sued_p', ...rows).at(-1)).toContain(
      'groesse: Neue; nord_b: 1; nord_p: 3; sued_b: 4; sued_p: 2',
    );
    // A row without figures is no head, if it has a text in each column.
    expect(told('Ort|Ein|Aus', 'Ulm|k. A.|k. A.', 'Kiel|1|2')).toContain('Ort: Ulm; Ein: k. A.; Aus: k. A.');
  });

  it('has questions of a survey for heads', () => {
    const question = `Stimmen Sie dem Plan zu, ${'der im Flur hängt, '.repeat(5)}und zwar ganz?`;
    expect(told(`Nummer|Name|Ort|Mail|${question}`, '17|Anna|Ulm|a@example.org|Ja')).toEqual([
      `Nummer: 17; Name: Anna; Ort: Ulm; Mail: a@example.org; ${question}: Ja`,
    ]);
  });

  it('has dates for heads, alone right of an empty corner', () => {
    expect(told('Aufgabe|05.03.2015|06.03.2015|08.03.2015', 'Protokoll|75||40', 'Liste||225|')).toEqual([
      'Aufgabe: Protokoll; 05.03.2015: 75; 08.03.2015: 40',
      'Aufgabe: Liste; 06.03.2015: 225',
    ]);
    expect(told('|2019|2020', 'Ein|12|13', 'Aus|9|8')).toContain('Ein; 2019: 12; 2020: 13');
    expect(told('Anna|05.03.2015|06.03.2016', 'Ben|07.03.2015|08.03.2016')).toEqual([
      'Anna; 05.03.2015; 06.03.2016',
      'Ben; 07.03.2015; 08.03.2016',
    ]);
  });

  it('has groups of rows in a table, which are no titles of other tables', () => {
    expect(told('Land|Ein|Aus', 'Ulm|1|2', 'Norden||', 'Kiel|k. A.|-', 'Bremen|3|4')).toEqual([
      'Land: Ulm; Ein: 1; Aus: 2',
      'Norden',
      'Land: Kiel; Ein: k. A.; Aus: -',
      'Land: Bremen; Ein: 3; Aus: 4',
    ]);
  });

  it('repeats no line that explains a table', () => {
    const long = `${'Diese Liste gilt für alle Standorte. '.repeat(4)}Stand Mai.`;
    expect(told(`${long}||`, 'Preise||', 'Ort|Ein|Aus', 'Ulm|1|2')).toEqual([
      long,
      'Preise',
      '[Preise] Ort: Ulm; Ein: 1; Aus: 2',
    ]);
  });

  it('has the heads of a plan over all its blocks, below their own titles', () => {
    expect(
      told(
        'Dienstplan KW 9|||',
        '|||',
        'Name|Montag|Dienstag|Mittwoch',
        '|||',
        'Lager|||',
        'Anna|Früh|Früh|Spät',
        'Ben|Spät||Früh',
        '|||',
        'Büro|||',
        'Cora|Spät|Spät|Urlaub',
        'Dirk|Früh|Urlaub|Spät',
      ).filter((line) => line.includes(':')),
    ).toEqual([
      '[Lager] Name: Anna; Montag: Früh; Dienstag: Früh; Mittwoch: Spät',
      '[Lager] Name: Ben; Montag: Spät; Mittwoch: Früh',
      '[Büro] Name: Cora; Montag: Spät; Dienstag: Spät; Mittwoch: Urlaub',
      '[Büro] Name: Dirk; Montag: Früh; Dienstag: Urlaub; Mittwoch: Spät',
    ]);
  });

  it('has the heads of another table below its title, though it has as many columns', () => {
    expect(
      told('Land|Ein|Aus', 'Ulm|1|2', '||', 'Personen||', 'Name|Ort|Rolle', 'Anna|Ulm|Leitung'),
    ).toContain('[Personen] Name: Anna; Ort: Ulm; Rolle: Leitung');
  });
});
