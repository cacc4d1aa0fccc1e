import { lettersOf, romanOf } from './numerals.ts';
import { attributeOf, childrenOf, descend, findAll, type XmlElement } from './xml.ts';

interface Level {
  readonly start: number;
  readonly format: string;
  /** The pattern of the number, such as `%1.%2`, with a placeholder for the number of each level. */
  readonly text: string;
  /** The style of paragraphs that is numbered by it. */
  readonly style: string | undefined;
}

/** Counts the numbered paragraphs of a Word document, because the file does not contain their numbers. */
export class WordNumbering {
  readonly #levels = new Map<string, ReadonlyMap<number, Level>>();
  /** Lists by the list with which they are numbered together. */
  readonly #list = new Map<string, string>();
  readonly #counts = new Map<string, number[]>();

  constructor(tree: XmlElement | undefined) {
    const numbering = descend(tree, 'numbering');
    if (numbering === undefined) return;
    const lists = new Map(
      childrenOf(numbering, 'abstractNum').map((each) => [attributeOf(each, 'abstractNumId') ?? '', each]),
    );
    for (const each of childrenOf(numbering, 'num')) {
      const id = attributeOf(each, 'numId') ?? '';
      const list = attributeOf(descend(each, 'abstractNumId'), 'val') ?? '';
      const overrides = childrenOf(each, 'lvlOverride');
      const levels = new Map(levelsOf(lists.get(list)));
      for (const override of overrides) {
        const at = Number(attributeOf(override, 'ilvl') ?? 0);
        const own = levelsOf(override).get(at) ?? levels.get(at);
        const start = attributeOf(descend(override, 'startOverride'), 'val');
        if (own !== undefined) levels.set(at, start === undefined ? own : { ...own, start: Number(start) });
      }
      this.#levels.set(id, levels);
      const restarts = overrides.some((override) => descend(override, 'startOverride') !== undefined);
      this.#list.set(id, restarts ? `num ${id}` : list);
    }
  }

  /** The style that is numbered at a level of a list. */
  styleAt(id: string, level: number): string | undefined {
    return this.#levels.get(id)?.get(level)?.style;
  }

  /** The number of the next paragraph of a list; `undefined` if it has a bullet or nothing. */
  next(id: string, level: number): string | undefined {
    const levels = this.#levels.get(id);
    const own = levels?.get(level);
    if (levels === undefined || own === undefined) return undefined;
    const list = this.#list.get(id)!;
    const counts = this.#counts.get(list) ?? [];
    this.#counts.set(list, counts);
    counts.length = Math.min(counts.length, level + 1);
    for (let at = 0; at < level; at++) counts[at] ??= levels.get(at)?.start ?? 1;
    counts[level] = counts[level] === undefined ? own.start : counts[level] + 1;
    if (own.format === 'bullet' || own.format === 'none') return undefined;
    const text = own.text.replaceAll(/%(?<place>[1-9])/gu, (_, place: string) => {
      const at = Number(place) - 1;
      return written(counts[at] ?? 1, levels.get(at)?.format ?? 'decimal');
    });
    return text.trim() === '' ? undefined : text.trim();
  }
}

function levelsOf(list: XmlElement | undefined): Map<number, Level> {
  const levels = list === undefined ? [] : findAll(list, 'lvl');
  return new Map(
    levels.map((each) => [
      Number(attributeOf(each, 'ilvl') ?? 0),
      {
        start: Number(attributeOf(descend(each, 'start'), 'val') ?? 1),
        format: attributeOf(descend(each, 'numFmt'), 'val') ?? 'decimal',
        text: attributeOf(descend(each, 'lvlText'), 'val') ?? '',
        style: attributeOf(descend(each, 'pStyle'), 'val'),
      },
    ]),
  );
}

function written(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return lettersOf(number);
    case 'upperLetter':
      return lettersOf(number).toUpperCase();
    case 'lowerRoman':
      return romanOf(number);
    case 'upperRoman':
      return romanOf(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
}
