import type { Heading, Unit } from './unit.ts';

/** What sections are called, from the widest; those of one line stand beside each other. */
const RANKS: readonly RegExp[] = [
  /^(?:teil|part|titel|title|buch|book|\p{L}+ter teil)$/iu,
  /^(?:kapitel|chapter)$/iu,
  /^(?:abschnitt|anlage|annex|appendix|schedule)$/iu,
  /^(?:artikel|art\.|article)$/iu,
  /^(?:§+|section)$/iu,
];

/** The number of a section at the beginning of a line: `§ 4`, `Artikel 2.`, `2. Abschnitt`, `ARTICLE IV`. */
const NUMBERED =
  /^(?:(?<sign>§+)\s?\d{1,3}\s?[a-z]?|(?<word>artikel|art\.|article|section|teil|part|titel|title|buch|book|kapitel|chapter|abschnitt|anlage|annex|appendix|schedule)\s(?:\d{1,3}[a-z]?|[ivxlc]{1,7})|(?:\d{1,2}|[ivx]{1,5})\.\s(?<after>teil|kapitel|abschnitt))[.:]?(?=\s|$)/iu;
/** What follows the number of a provision in a reference: `§ 4 Abs. 2`, `§ 5 BGB`. */
const OF_REFERENCE = /^(?:[Aa]bs|[Aa]bsatz|[Ss]atz|[Nn]r|S|f|ff|bis|und|vgl)\b|^\p{Lu}\p{L}*\p{Lu}(?!\p{L})/u;

/** Whether a line begins with the number of a section. */
export const isSectionHead = (text: string): boolean => NUMBERED.test(text);

const LONGEST_TITLE = 110;
/** `Chapter 7 Amendments`, which stands alone. */
const LONGEST_AFTER_WORD = 60;
/** A word that no title ends with. */
const UNFINISHED =
  /(?:-|\b(?:und|oder|der|die|das|des|den|dem|ein|eine|einer|für|von|vom|zu|zur|zum|im|in|mit|über|and|or|of|the|for|to|with))$/iu;

/** Whether the line of a title ends within it. */
export const isUnfinished = (line: string): boolean => UNFINISHED.test(line);

type Line = Extract<Unit, { kind: 'heading' | 'paragraph' }>;

const isLine = (unit: Unit | undefined): unit is Line =>
  unit?.kind === 'heading' || unit?.kind === 'paragraph';

/** Whether a line could be the title of a section, or the rest of it. */
const couldBeTitle = (unit: Unit | undefined): unit is Line =>
  isLine(unit) &&
  unit.text.length <= LONGEST_TITLE &&
  !/[.:;,]$/u.test(unit.text) &&
  /^[\p{L}„"“(]/u.test(unit.text) &&
  !isSectionHead(unit.text);

interface Head {
  /** How many units it is written in. */
  readonly lines: number;
  readonly text: string;
  readonly rank: number;
  /** The level of the line that is a heading already. */
  readonly level: number | undefined;
}

/** The head of a section at this place: its number, alone on its line or before its title, with the title below it. */
function headAt(units: readonly Unit[], at: number): Head | undefined {
  const first = units[at];
  if (!isLine(first)) return undefined;
  const found = NUMBERED.exec(first.text);
  if (found === null) return undefined;
  const { sign, word, after } = found.groups ?? {};
  const rank = RANKS.findIndex((names) => names.test(sign ?? word ?? after ?? ''));
  const rest = first.text.slice(found[0].length).trim();
  if (rest !== '' && first.kind === 'paragraph') {
    const isTitle = /^\p{Lu}/u.test(rest) && !OF_REFERENCE.test(rest) && !/[.:;,]$/u.test(rest);
    // Other words than the sign of a paragraph begin sentences as well.
    const longest = sign === undefined ? LONGEST_AFTER_WORD : LONGEST_TITLE;
    if (!isTitle || first.text.length > longest) return undefined;
  }
  const lines: Line[] = [first];
  for (
    let next = rest === '' ? units[at + 1] : undefined;
    couldBeTitle(next);
    next = units[at + lines.length]
  ) {
    if (lines.length === 1 ? /^\p{Ll}/u.test(next.text) : !isUnfinished(lines.at(-1)!.text)) break;
    lines.push(next);
  }
  // A text that goes on below begins with its first line, which is no title.
  const below = units[at + lines.length];
  if (lines.length > 1 && below?.kind === 'paragraph' && /^\p{Ll}/u.test(below.text)) lines.length = 1;
  return {
    lines: lines.length,
    text: lines.map(({ text }) => text).join(' '),
    rank,
    level: lines.find((line) => line.kind === 'heading')?.level,
  };
}

/**
 * The units with the heads of sections as headings: `§ 4` in the middle of a line, with its title in the next line, looks like
 * text where it is not bold.
 */
export function withSectionHeads(units: readonly Unit[]): readonly Unit[] {
  const heads = new Map<number, Head>();
  for (let at = 0; at < units.length; at += 1) {
    const head = headAt(units, at);
    if (head === undefined) continue;
    heads.set(at, head);
    at += head.lines - 1;
  }
  if (heads.size < ENOUGH) return units;
  const levels = levelsOf(units, [...heads.values()]);
  const told: Unit[] = [];
  const [first] = [...heads.values()];
  let above: { readonly was: number; readonly level: number } | undefined;
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]!;
    const head = heads.get(at);
    if (head === undefined) {
      if (unit.kind !== 'heading') told.push(unit);
      else if (PREFACE.test(unit.text)) told.push({ ...unit, level: levels[first!.rank]! });
      else {
        if (above !== undefined && PART_OF_NUMBER.test(unit.text) && unit.level <= above.was)
          above = { ...above, was: unit.level - 1 };
        // What stands below a head stays there where the head itself moves down.
        const down = above !== undefined && unit.level > above.was ? above.level - above.was : 0;
        told.push({ ...unit, level: Math.min(6, unit.level + Math.max(0, down)) });
      }
      continue;
    }
    const { page, anchor } = units[at] as Heading;
    const level = levels[head.rank]!;
    above = { was: head.level ?? level, level };
    told.push({
      kind: 'heading',
      level,
      text: head.text,
      ...(page === undefined ? {} : { page }),
      ...(anchor === undefined ? {} : { anchor }),
    });
    at += head.lines - 1;
  }
  return told;
}

/** A number of several parts, `3.1`, which is part of the section with the first of them, or a first one, which begins anew there. */
const PART_OF_NUMBER = /^(?:\d{1,3}(?:\.\d{1,3})+\.?|1[.)])\s/u;

/** What stands before the sections, and not above them. */
const PREFACE = /^(?:präambel|vorwort|vorbemerkung(?:en)?|preamble|preface|foreword)$/iu;

/** A single one may be something else than a heading of a section. */
const ENOUGH = 2;

/** The level of each rank: that of its heads which are headings already, and below that of the rank above. */
function levelsOf(units: readonly Unit[], heads: readonly Head[]): readonly number[] {
  const hasTitle = units.some(
    (unit) => unit.kind === 'heading' && unit.level === 1 && !isSectionHead(unit.text),
  );
  let above = hasTitle ? 1 : 0;
  return RANKS.map((_, rank) => {
    const own = heads.filter((head) => head.rank === rank);
    const known = own.map(({ level }) => level).filter((level) => level !== undefined);
    const isFirst = above === (hasTitle ? 1 : 0);
    if (own.length > 0)
      above = Math.min(
        6,
        known.length === 0 ? above + 1 : Math.max(Math.min(...known), isFirst ? 1 : above + 1),
      );
    return Math.max(1, above);
  });
}
