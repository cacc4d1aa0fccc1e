import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  frame,
  matchFrame,
  questionBack,
  refusal,
  suggestionsIn,
  uncoveredIn,
  type FrameContext,
  type FrameName,
  NO_FRAME_CONTEXT,
} from './templates.ts';

const context: FrameContext = {
  titles: ['Kündigung: Fristen?', 'Urlaub oder Abgeltung', 'Der [neue] Titel'],
  months: ['2019-11', '2021-02'],
  asOf: ['März 2022', 'March 2022'],
  stands: ['Mai 2023', 'May 2023', 'Juni 2024', 'June 2024'],
  years: [2021, 2022],
  parts: ['Wie hoch ist A?', 'Was gilt für „B“ und C'],
  mayAsk: () => false,
  contradicts: () => false,
};
const VALUES: Readonly<Record<FrameName, readonly (string | number)[]>> = {
  conflict: [],
  unsupported: [],
  uncovered: context.parts,
  superseded: ['2019-11'],
  amended: context.titles.slice(0, 1),
  validYears: context.years,
  asOf: context.asOf,
  sourceStand: context.stands.slice(0, 1),
  sourceStands: context.stands,
  cut: [],
  nearest: context.titles,
  clarify: context.titles,
};

describe('frames', () => {
  it.each(['de', 'en'] as const)(
    'what is not covered is found in an answer, word for word (%s)',
    (language) => {
      const sentence = frame('uncovered', language, context.parts);
      const asOf = frame('asOf', language, context.asOf.slice(0, 1));
      expect(uncoveredIn(`Das gilt. [A]\n\n${sentence} ${asOf}`)).toBe(sentence);
      expect(uncoveredIn(`Das gilt. [A]\n\n${asOf}`)).toBeNull();
      expect(
        uncoveredIn(refusal(language, { missing: ['Mars'], otherYears: null, asOf: null, nearest: [] })),
      ).toBeNull();
    },
  );

  it.each(['de', 'en'] as const)('what may be asked for instead is found in an answer (%s)', (language) => {
    const titles = ['Kündigung: Fristen', 'Urlaub oder Abgeltung'];
    const missing = { missing: ['Mars'], otherYears: null, asOf: null };
    const section = 'Plausibilitätsprüfung:\n✓ x: „Grundlohn“';
    const suggested = (answer: string) => suggestionsIn(`${answer}\n\n${section}`);
    expect(suggested(`Das gilt für „A“. [A]\n\n${frame('clarify', language, titles)}`)).toEqual(titles);
    expect(suggested(refusal(language, { ...missing, nearest: titles }))).toEqual(titles);
    expect(suggested(refusal(language, { ...missing, nearest: [] }))).toEqual([]);
    expect(suggested('Das gilt für „A“. [A]')).toEqual([]);
  });

  it.each(Object.keys(VALUES) as FrameName[])(
    '%s is recognised in both languages, with every slot value',
    (name) => {
      for (const language of ['de', 'en'] as const) {
        expect(matchFrame(frame(name, language, VALUES[name]), context)).toBe(name);
        expect(matchFrame(frame(name, language, VALUES[name].slice(0, 1)), context)).toBe(name);
      }
    },
  );

  it('never hold a bracket that could be read as a citation', () => {
    for (const name of Object.keys(VALUES) as FrameName[]) {
      expect(frame(name, 'de', VALUES[name])).not.toMatch(/[[\]]/u);
    }
  });

  it.each([
    'Rechtsstand der Wissensbasis: März 2023.',
    'Rechtsstand der Wissensbasis: .',
    'Die zitierten Angaben gelten für: 2023.',
    'Rückfrage: Was ist gemeint: „Etwas anderes“?',
    'Rückfrage: Soll ich kündigen?',
    'Die mit ⚠ markierten Quellen widersprechen sich. Und mehr.',
  ])('do not match what this context does not hold: %s', (text) => {
    expect(matchFrame(text, context)).toBeUndefined();
  });

  it('match no free text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          matchFrame(text, { ...NO_FRAME_CONTEXT, parts: ['Wie hoch ist A?', 'Was gilt für „B“ und C'] }),
        ).toBe(text === '⚠' ? 'mark' : undefined);
      }),
    );
  });
});

describe('the question back', () => {
  it('is read without its label, in both languages', () => {
    expect(questionBack('Rückfrage: Was ist gemeint: „A“ oder „B“?')).toBe('Was ist gemeint: „A“ oder „B“?');
    expect(questionBack('Clarifying question: Which one?')).toBe('Which one?');
    expect(questionBack('Worum geht es?')).toBeNull();
  });
});

describe('a refusal', () => {
  it('names three missing terms at most, and shortens long ones', () => {
    const missing = Array.from({ length: 9 }, (_, i) => `${i}${'x'.repeat(100)}`);
    const text = refusal('de', { missing, otherYears: null, asOf: null, nearest: [] });
    expect(text.match(/„/gu)).toHaveLength(3);
    expect(text.length).toBeLessThan(500);
  });
});
