import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderDraft, type Statement } from '../../../kb/answer/render.ts';
import { blocksOf } from './answer-blocks.ts';

const said = (text: string, rest: Partial<Statement> = {}): Statement => ({
  kind: 'statement',
  text,
  citations: ['A-1'],
  ...rest,
});
const code = (text: string): Statement => said(text, { item: true, code: true });

it('code stands in a block of its own, with its line ends and its brackets', () => {
  const commands = 'npm install\n  a[0] = 1';
  const answer = renderDraft({
    sentences: [said('So geht es:'), code(commands), said('Dann:'), said('Eins.', { item: true })],
  });
  expect(answer).toBe(`So geht es: [A-1]\n\n\`\`\`\n${commands}\n\`\`\`\n[A-1]\n\nDann: [A-1]\nEins. [A-1]`);
  expect(blocksOf(answer)).toEqual([
    { kind: 'line', text: 'So geht es: [A-1]' },
    { kind: 'code', text: commands },
    { kind: 'line', text: '[A-1]' },
    { kind: 'line', text: 'Dann: [A-1]' },
    { kind: 'line', text: 'Eins. [A-1]' },
  ]);
});

it('whatever stands in it, all of it is read as code, and nothing besides', () => {
  const line = fc.oneof(
    fc.constantFrom('', '```', '````', '~~~', '[A-1]', 'x ```'),
    fc.string({ maxLength: 9 }),
  );
  const lines = fc.array(
    line.map((text) => text.replaceAll(/[\n⚠]/gu, '')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(lines, (each) => {
      const text = each.join('\n');
      expect(blocksOf(renderDraft({ sentences: [said('Davor.'), code(text), said('Danach.')] }))).toEqual([
        { kind: 'line', text: 'Davor. [A-1]' },
        { kind: 'code', text },
        { kind: 'line', text: '[A-1]' },
        { kind: 'line', text: 'Danach. [A-1]' },
      ]);
    }),
  );
});

it('a fence that nothing closes is text', () => {
  expect(blocksOf('Eins.\n```\nZwei.')).toEqual(
    ['Eins.', '```', 'Zwei.'].map((text) => ({ kind: 'line', text })),
  );
});
