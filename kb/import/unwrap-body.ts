/** A list item or paragraph that is open, by the column of its text: lines that are indented to it continue it. */
interface OpenItem {
  readonly indent: number;
  readonly content: number;
}

const ITEM = /^(?<marker>\d{1,3}[a-z]{0,2}\.|[a-z]{1,3}\)|[-–]|\*)(?<gap>\s+|$)(?<text>.*)$/u;
const TABLE_ROW = /^\*\s+\*(?:\s+|$)(?<text>.*)$/u;
/** The number of a sentence in the margin, as in official publications: `2             Nachtarbeit ist …`. */
const SENTENCE_NUMBER = /^\d{1,3}\s{5,}(?=\S)/u;

/**
 * Turns the hard-wrapped body of one § into plain Markdown: one line for each paragraph and list item (nested ones
 * indented by four), table rows as items with ` | ` between cells. Sentence numbers, footnotes and pictures are
 * removed.
 */
export function unwrapBody(lines: readonly string[]): string {
  const out: string[] = [];
  const open: OpenItem[] = [];
  let inTable = false;
  let afterBlank = true;
  for (const raw of withoutFootnotes(lines)) {
    const line = lineOf(raw);
    if (line.text === '') {
      afterBlank = true;
      continue;
    }
    const row = TABLE_ROW.exec(line.text)?.groups?.['text'];
    const item = ITEM.exec(line.text)?.groups;
    if (row !== undefined) {
      inTable = true;
      out.push(`- ${row}`.trimEnd());
    } else if (inTable && line.indent > 0) {
      append(out, item?.['marker'] === '*' ? `| ${item['text'] ?? ''}` : line.text);
    } else if (item !== undefined && (afterBlank || startsList(out, item['marker'] ?? ''))) {
      inTable = false;
      while ((open.at(-1)?.indent ?? -1) >= line.indent) open.pop();
      const marker = item['marker'] === '*' ? '-' : (item['marker'] ?? '');
      out.push(`${'    '.repeat(open.length)}${marker} ${item['text'] ?? ''}`.trimEnd());
      open.push({ indent: line.indent, content: line.indent + marker.length + 1 });
    } else {
      inTable = false;
      const depth = open.length;
      while (open.length > 0 && line.indent < open.at(-1)!.content) open.pop();
      const goesOn = open.length > 0 ? open.length === depth : !afterBlank && depth === 0;
      if (goesOn && out.length > 0) append(out, line.text);
      else if (open.length > 0) out.push(`${'    '.repeat(open.length)}${line.text}`);
      else out.push('', line.text);
    }
    afterBlank = false;
  }
  return tidy(out);
}

/** A marker within a wrapped paragraph only begins a list after a colon or another marker. */
function startsList(out: readonly string[], marker: string): boolean {
  const last = out.at(-1) ?? '';
  return (
    last === '' || (marker !== '-' && marker !== '–' && /[:;,]$/u.test(last) && ITEM.test(last.trimStart()))
  );
}

/** Joins a wrapped line: a hyphen before a capital belongs to the word (`Splitting-` `Verfahren`). */
function append(out: string[], text: string): void {
  const last = out.at(-1) ?? '';
  const glue = last.endsWith('-') && /^\p{Lu}/u.test(text) && /\p{L}-$/u.test(last) ? '' : ' ';
  out[Math.max(out.length - 1, 0)] = `${last}${glue}${text}`;
}

/** A line of the statute's Markdown without its indentation. */
function lineOf(raw: string) {
  const expanded = raw.replace(/\t/gu, '    ').trimEnd();
  const indent = expanded.length - expanded.trimStart().length;
  const text = expanded
    .trimStart()
    .replace(SENTENCE_NUMBER, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/gu, '')
    .replace(/\[\^[^\]]*\]/gu, '')
    .replace(/\*\*/gu, '')
    .trim();
  return { indent, text };
}

/** The lines without footnote definitions, which continue over indented lines. */
function withoutFootnotes(lines: readonly string[]): string[] {
  let inFootnote = false;
  return lines.filter((line) => {
    if (/^\[\^[^\]]*\]:/u.test(line)) inFootnote = true;
    else if (/^\S/u.test(line)) inFootnote = false;
    return !inFootnote;
  });
}

/** Removes escapes, repeated spaces and empty items, and leaves one blank line between paragraphs. */
function tidy(out: readonly string[]): string {
  return out
    .map((line) => {
      const indent = /^ */u.exec(line)?.[0] ?? '';
      const text = line.trim().replace(/\\(?=[\\`*_{}[\]()#+.!-])/gu, '');
      return `${indent}${text.replace(/\s+/gu, ' ')}`.trimEnd();
    })
    .filter((line) => !/^\s*[-–|\s]+$/u.test(line) || line === '')
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}
