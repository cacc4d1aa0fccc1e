import { setTimeout } from 'node:timers/promises';

import type { KindEntry } from './kinds.ts';
import { Unreadable, type Document, type Unit } from './unit.ts';

const paragraph = (text: string): Document => ({ units: [{ kind: 'paragraph', text }] });

/** Keeps memory in use, so that it cannot be freed. */
const kept: unknown[] = [];

/** The content of a file says what its parser does. */
const ODD: Readonly<Record<string, (onPart: () => void) => unknown>> = {
  hang() {
    for (;;) kept[0] = Date.now();
  },
  async wait() {
    await setTimeout(1500);
    return paragraph('wait');
  },
  'wait for ever': () => setTimeout(600_000),
  buffers() {
    for (;;) kept.push(Buffer.alloc(1024 ** 2, 1));
  },
  objects() {
    for (;;) kept.push({ some: [kept.length] });
  },
  exit: () => process.exit(7),
  bug: () => (undefined as unknown as string[]).length,
  refuse() {
    throw new Unreadable('is encrypted');
  },
  nest() {
    const nest = (depth: number): number => 1 + nest(depth + 1);
    return nest(0);
  },
  empty: (): Document => ({ units: [] }),
  nonsense: () => ({ units: [{ kind: 'picture', text: 'a' }] }),
  deep: (): Document => ({ units: [{ kind: 'item', depth: 101, text: 'a' }] }),
  long: () => paragraph('a'.repeat(3 * 1024 ** 2)),
  /** Leaves so much garbage that another file has too little memory. */
  litter() {
    kept.push(Buffer.alloc(110 * 1024 ** 2, 1));
    return paragraph('litter');
  },
  /** Takes three seconds, and reports its progress. */
  async parts(onPart) {
    for (let i = 0; i < 6; i += 1) {
      await setTimeout(500);
      onPart();
    }
    return paragraph('parts');
  },
  environment: () => paragraph(Object.keys(process.env).sort().join(' ')),
  process: () => paragraph(String(process.pid)),
};

const odd: KindEntry = {
  extensions: ['odd'],
  load: async () => ({
    extensions: ['odd'],
    async parse(bytes, _path, onPart) {
      const text = Buffer.from(bytes).toString();
      const act = ODD[text];
      return (act === undefined ? paragraph(text) : await act(onPart!)) as { units: Unit[] };
    },
  }),
};

export const kindOf = (path: string): KindEntry | undefined => (path.endsWith('.odd') ? odd : undefined);
