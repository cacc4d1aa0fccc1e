import { parseFrontMatter } from '../base/front-matter.ts';
import { joinHeadings } from '../heading.ts';
import { unwrapBody } from './unwrap-body.ts';

/** A § (or annex) of a statute, to be written as a source. */
export interface Norm {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly text: string;
}

export type Statute = NonNullable<ReturnType<typeof parseStatute>>;

interface Heading {
  readonly level: number;
  readonly text: string;
}

const PARAGRAPH =
  /^(?:\(XXXX\)\s*)?§{1,2}\s*(?<first>\d+[a-z]{0,3})(?:\s*(?:bis|–|-)\s*(?<last>\d+[a-z]{0,3})|\s*(?:und|u\.)\s*(?<second>\d+[a-z]{0,3}))?\s*(?<name>.*)$/u;
const ANNEX = /^(?<kind>Anlage|Anhang)\b\s*(?<number>[\dIVX]+[a-z]?)?\s*(?<name>.*)$/u;
const ARTICLE = /^Art(?:ikel|\.)?\s*(?<first>\d+[a-z]?)\s*(?<name>.*)$/u;
const REPEALED = /^[([]?(?:weggefallen|aufgehoben|gegenstandslos|Änderungsvorschrift)/iu;
const FRAME = /^(?:Eingangsformel|Schlussformel|Inhaltsverzeichnis|Inhaltsübersicht)\b/u;

/**
 * Parses a statute in the format of `bundestag/gesetze`.
 *
 * @returns undefined if the file is not a statute (no `jurabk` in its front matter). `stand` is the month of the last
 * change; `repealed` has the headings of parts that are no longer in force; `withoutText` has the headings of parts
 * without a rule: formulas, tables of contents, pictures alone
 */
export function parseStatute(markdown: string) {
  const text = markdown.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const matter = parseFrontMatter(text);
  const name = matter?.fields.get('jurabk')?.value;
  if (matter === undefined || name === undefined || name === '') return undefined;
  const longTitle = (matter.fields.get('Title')?.value ?? '').replace(/\s+/gu, ' ');
  const [preamble, ...sections] = splitByHeading(text.slice(matter.bodyStart));
  const work = workOf(name);
  const year = validFor(longTitle);
  const norms: Norm[] = [];
  const repealed: string[] = [];
  const withoutText: string[] = [];
  const path: Heading[] = [];
  const abbreviation = abbreviationOf(name);
  const ids = new Set<string>();
  let head = preamble?.lines ?? [];
  for (const { heading, lines } of sections) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    const norm = normOf(heading.text);
    if (norm === undefined) {
      // The name of the statute is above its preamble.
      if (heading.level === 1) head = [...head, ...lines];
      else if (FRAME.test(heading.text)) withoutText.push(heading.text);
      else path.push(heading);
      continue;
    }
    const body = unwrapBody(lines);
    if (REPEALED.test(norm.name) || REPEALED.test(body)) repealed.push(heading.text);
    else if (body === '' || body === '-') withoutText.push(heading.text);
    else {
      const label = `${norm.label} ${work}${year === undefined ? '' : ` ${year}`}`;
      norms.push({
        id: freeId(`${abbreviation}-${norm.number}`, ids),
        title: norm.name === '' ? label : `${label}: ${norm.name}`,
        section: joinHeadings(path.map(({ text }) => text)),
        text: body,
      });
    }
  }
  return { abbreviation, work, stand: standOf(head), norms, repealed, withoutText };
}

function splitByHeading(text: string): { heading: Heading; lines: string[] }[] {
  const parts: { heading: Heading; lines: string[] }[] = [{ heading: { level: 0, text: '' }, lines: [] }];
  for (const line of text.split('\n')) {
    const match = /^(?<marks>#{1,6})\s+(?<text>.+)$/u.exec(line)?.groups;
    if (match === undefined) parts.at(-1)!.lines.push(line);
    else {
      const heading = { level: (match['marks'] ?? '').length, text: (match['text'] ?? '').trim() };
      parts.push({ heading, lines: [] });
    }
  }
  return parts;
}

/** `number` follows the abbreviation in the id (`3a`, `14-16`, `Anlage2`), `label` is before the work in the title. */
function normOf(heading: string) {
  const paragraph = PARAGRAPH.exec(heading)?.groups;
  if (paragraph !== undefined) {
    const first = paragraph['first'] ?? '';
    const to = paragraph['last'] ?? paragraph['second'];
    const name = (paragraph['name'] ?? '').trim();
    if (to === undefined) return { number: first, label: `§ ${first}`, name };
    const word = paragraph['last'] === undefined ? 'und' : 'bis';
    return { number: `${first}-${to}`, label: `§§ ${first} ${word} ${to}`, name };
  }
  const annex = ANNEX.exec(heading)?.groups;
  if (annex !== undefined) {
    const kind = annex['kind'] ?? '';
    const number = annex['number'] ?? '';
    const name = (annex['name'] ?? '').replace(/^[-–\s]+|[-–\s]+$/gu, '');
    return { number: `${kind}${number}`, label: `${kind} ${number}`.trim(), name };
  }
  const article = ARTICLE.exec(heading)?.groups;
  if (article === undefined) return undefined;
  const first = article['first'] ?? '';
  return { number: `Art${first}`, label: `Art. ${first}`, name: (article['name'] ?? '').trim() };
}

function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let copy = 2; taken.has(free); copy++) free = `${id}.${copy}`;
  taken.add(free);
  return free;
}

/**
 * The beginning of the ids of the statute's sources: `DEÜV` → `DEUEV`, `SGB 4` → `SGB4`, `MuSchG 2018` → `MuSchG2018`.
 */
function abbreviationOf(name: string): string {
  return name
    .replace(/[ÄÖÜ](?=\p{Lu})/gu, (letter) => SPELLED[letter]!.toUpperCase())
    .replace(/[äöüßÄÖÜ]/gu, (letter) => SPELLED[letter]!)
    .normalize('NFD')
    .replace(/[^A-Za-z0-9._-]/gu, '')
    .replace(/^[._-]+/u, '')
    .slice(0, 40);
}

const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV'];

/** The name of the publication, without the year: `SVBezGrV`, `SGB IV`. */
function workOf(name: string): string {
  const book = /^SGB\s*(?<number>\d{1,2})$/u.exec(name)?.groups?.['number'];
  const roman = book === undefined ? undefined : ROMAN[Number(book)];
  if (roman !== undefined) return `SGB ${roman}`;
  return name.replace(/\s*(?:19|20)\d{2}$/u, '').trim() || name;
}

/**
 * The year for which an ordinance of yearly figures is valid. In the name of a statute the year only says when it was
 * made.
 */
function validFor(longTitle: string): string | undefined {
  return /\bfür\s+(?:das\s+(?:Jahr|Kalenderjahr)\s+)?(?<year>(?:19|20)\d{2})$/u.exec(longTitle)?.groups?.[
    'year'
  ];
}

/** The month of the last change; if there is none, of the last new version; if there is none, of the first version. */
function standOf(preamble: readonly string[]): string {
  const text = preamble.join('\n');
  for (const label of ['Zuletzt geändert durch', 'Geändert durch', 'Neugefasst durch']) {
    const entry = new RegExp(String.raw`^${label}\n:\s*(?<entry>.+(?:\n[ ]+.+)*)`, 'mu').exec(text)?.groups?.[
      'entry'
    ];
    const date = /v\.\s*\d{1,2}\.\s*(?<month>\d{1,2})\.\s*(?<year>\d{4})/u.exec(entry ?? '')?.groups;
    if (date !== undefined) return `${date['year']}-${(date['month'] ?? '').padStart(2, '0')}`;
  }
  const made = /^Ausfertigungsdatum\n:\s*(?<month>\d{4}-\d{2})/mu.exec(text)?.groups?.['month'];
  return made ?? '0000-01';
}
