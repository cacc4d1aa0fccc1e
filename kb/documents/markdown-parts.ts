/** The least number of characters in a part. A parser needs about a hundred times the memory of its input. */
const PART = 256 * 1024;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/u;
/**
 * A line before which a text can be divided, because no open block continues in it: a heading, or a line that begins
 * with a letter.
 */
const BEGINS = /^(?:#{1,6}\s|\p{L})/u;
/** The definition of a link's target, anywhere in a text. Definitions of footnotes have text and do not count. */
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gmu;
const MOST_DEFINITIONS = 64 * 1024;

/**
 * Divides a long text into parts that keep their meaning, each with the link definitions it may need. Only a text
 * without empty lines and headings stays whole.
 */
export function partsOfMarkdown(text: string, size = PART): [string, ...string[]] {
  if (text.length <= size) return [text];
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  let fence: string | null = null;
  let isAfterEmpty = false;
  for (const line of text.split('\n')) {
    if (length >= size && fence === null && isAfterEmpty && BEGINS.test(line)) {
      parts.push(part.join('\n'));
      part = [];
      length = 0;
    }
    const [mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined) {
      const sign = mark.trim();
      if (fence === null) fence = sign;
      else if (sign[0] === fence[0] && sign.length >= fence.length) fence = null;
    }
    isAfterEmpty = line.trim() === '';
    part.push(line);
    length += line.length + 1;
  }
  parts.push(part.join('\n'));
  const definitions = (text.match(DEFINITION) ?? []).join('\n');
  const [first = '', ...others] =
    definitions === '' || definitions.length > MOST_DEFINITIONS
      ? parts
      : parts.map((each) => `${each}\n\n${definitions}`);
  return [first, ...others];
}
