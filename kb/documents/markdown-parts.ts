/** Signs of a part: a parser needs some hundred times the memory of what it reads at once. */
const PART = 256 * 1024;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/u;
/** Where nothing that is open goes on: a heading of its own line, or a line that begins with a letter. */
const BEGINS = /^(?:#{1,6}\s|\p{L})/u;
/** Where a link leads, named anywhere in a text; notes have text of their own and are not among them. */
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\S.*$/gmu;
const MOST_DEFINITIONS = 64 * 1024;

/**
 * A long text in parts that mean by themselves what they mean in it, each with the targets that its links may name. Only a text with neither
 * empty lines nor headings stays whole.
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
