import { fold } from '../../kb/analysis/fold.ts';

/** Abbreviations of payroll offices, and the word that the statutes use. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ag: 'Arbeitgeber',
    alv: 'Arbeitslosenversicherung',
    an: 'Arbeitnehmer',
    av: 'Arbeitslosenversicherung',
    bav: 'betriebliche Altersversorgung',
    bbg: 'Beitragsbemessungsgrenze',
    bemgr: 'Beitragsbemessungsgrenze',
    bs: 'Beitragssatz',
    efz: 'Entgeltfortzahlung',
    gkv: 'Krankenversicherung',
    jaeg: 'Jahresarbeitsentgeltgrenze',
    kv: 'Krankenversicherung',
    lst: 'Lohnsteuer',
    pv: 'Pflegeversicherung',
    rv: 'Rentenversicherung',
    sfn: 'SFN',
    soli: 'Solidaritätszuschlag',
    solz: 'Solidaritätszuschlag',
    sv: 'Sozialversicherung',
    uv: 'Unfallversicherung',
    vl: 'vermögenswirksame Leistungen',
    vwl: 'vermögenswirksame Leistungen',
    zb: 'Zusatzbeitrag',
  }),
);

/** What a key says of the time of its fact. */
export interface KeyDate {
  readonly year: number;
  readonly month: number | null;
}

export interface Key {
  /** Its words, abbreviations written out, in order: `stundenlohn`, `Krankenversicherung`. */
  readonly words: readonly string[];
  readonly date: KeyDate | null;
}

/**
 * Reads a key: `stundenlohn_2022_07` is the word `stundenlohn` and July 2022, `bbg_rv_west_2021` the words
 * `Beitragsbemessungsgrenze Rentenversicherung west` and the year 2021.
 */
export function readKey(key: string): Key {
  const date = /(?<!\d)((?:19|20)\d{2})(?:[_.-]?(0[1-9]|1[0-2]))?(?!\d)/u.exec(key);
  const rest = date === null ? key : `${key.slice(0, date.index)}_${key.slice(date.index + date[0].length)}`;
  const words = rest
    .split(/[^a-z]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (ABBREVIATIONS.get(word) ?? word).split(/[\s,]+/u));
  return {
    words,
    date:
      date === null ? null : { year: Number(date[1]), month: date[2] === undefined ? null : Number(date[2]) },
  };
}

/** A key's words as they compare: `Überstunden`, `ueberstunden` → `uberstunden`. */
export const foldKeyWord = (word: string): string => fold(word, 'de');
