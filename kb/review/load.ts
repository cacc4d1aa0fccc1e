import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { quantitiesOf, sharedSpellings, VocabularyFile, type Quantity } from './vocabulary.ts';

/** What a base brings for reviews; of a base without it sums are checked, and nothing else. */
export interface ReviewBase {
  readonly quantities: readonly Quantity[];
}

export const NO_REVIEW: ReviewBase = { quantities: [] };

type Tell = (line: number, message: string) => void;

/** Reads `review.yaml`; every fault is told by its line. */
export function parseVocabulary(text: string, fault: Tell): Quantity[] {
  const read = readYaml(text, VocabularyFile, fault);
  if (read === undefined) return [];
  const quantities = quantitiesOf(read.data);
  for (const { key, message } of sharedSpellings(quantities)) {
    fault(read.lineOf(['quantities', key]), `${key}: ${message}`);
  }
  return quantities;
}

interface ReadYaml<T> {
  readonly data: T;
  lineOf(path: readonly PropertyKey[]): number;
}

function readYaml<S extends z.ZodType>(
  text: string,
  schema: S,
  fault: Tell,
): ReadYaml<z.output<S>> | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  for (const { pos, message } of document.errors) {
    fault(lines.linePos(pos[0]).line, (message.split('\n')[0] ?? '').replace(/ at line \d+.*$/u, ''));
  }
  if (document.errors.length > 0) return undefined;
  /** Of the nearest place around it that stands in the file. */
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | null;
      if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const read = schema.safeParse(document.toJS() ?? {});
  if (read.success) return { data: read.data, lineOf };
  for (const { path, message } of read.error.issues) {
    fault(lineOf(path), `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
  }
  return undefined;
}
