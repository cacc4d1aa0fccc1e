/** A line of an answer, or a fenced block of code with its line ends. */
export interface Block {
  readonly kind: 'line' | 'code';
  readonly text: string;
}

const FENCE = /^`{3,}$/;

/** The lines and code blocks of an answer; empty lines are left out. */
export function blocksOf(answer: string): Block[] {
  const blocks: Block[] = [];
  let fence: string | null = null;
  let code: string[] = [];
  for (const line of answer.split('\n')) {
    if (fence !== null && line !== fence) code.push(line);
    else if (fence !== null) {
      blocks.push({ kind: 'code', text: code.join('\n') });
      fence = null;
    } else if (FENCE.test(line)) {
      fence = line;
      code = [];
    } else if (line.trim() !== '') blocks.push({ kind: 'line', text: line.trim() });
  }
  // A fence that is never closed is text.
  if (fence !== null) blocks.push(...[fence, ...code].map((text): Block => ({ kind: 'line', text })));
  return blocks;
}
