import { describe, expect, it } from 'vitest';
import { figuresOf, reliability, riskByCoverage } from './figures.ts';
import { judge, quotedText, type Given } from './judge.ts';
import { HALVES, parseRows, readRows, type Row } from './rows.ts';

const rowOf = (more: Partial<Record<keyof Row, unknown>> = {}): Row =>
  parseRows(
    JSON.stringify({
      id: 'q',
      question: 'Wie lange?',
      style: 'keywords',
      topic: 'Krankheit',
      expect: 'answered',
      facts: [['sechs Wochen', '6 Wochen'], ['vier Wochen']],
      may_cite: ['A'],
      misleading: ['acht Wochen'],
      parts: 1,
      ...more,
    }),
  )[0]!;

const given = (answer: string, more: Partial<Given> = {}): Given => ({
  status: 'answered',
  answer,
  citations: ['A'],
  relevance: 0.9,
  ...more,
});

describe('the judge of an answer', () => {
  it.each<[string, string]>([
    ['Sechs  Wochen lang. [A] Nach vier Wochen. [A]', 'complete'],
    ['Bis zu 6 Wochen. [A]', 'partly'],
    ['Gar nicht. [A]', 'none'],
    ['Gar nicht. [A]\n\nRückfrage: Was ist gemeint: „sechs Wochen“?', 'none'],
  ])('takes %j for %s', (answer, outcome) => {
    expect(judge(rowOf(), given(answer)).outcome).toBe(outcome);
  });

  it('sees what cites beside the point and what misleads', () => {
    const judged = judge(rowOf(), given('Acht Wochen. [A][B]', { citations: ['A', 'B'] }));
    expect(judged).toMatchObject({ offPoint: true, misleading: true });
  });

  it('finds nothing wrong with a refusal, whatever titles it names', () => {
    const refusal = given('Am nächsten: „Acht Wochen“.', { status: 'refused', citations: [] });
    expect(judge(rowOf(), refusal)).toMatchObject({
      outcome: 'refused',
      offPoint: false,
      misleading: false,
      relevance: null,
    });
  });

  it('reads up to the last citation', () => {
    expect(quotedText('Eins [A] zwei\n drei [A][B-1.x]\n\nRechtsstand der Wissensbasis: März 2022.')).toBe(
      'Eins zwei drei',
    );
  });
});

describe('the figures of a set', () => {
  const right = judge(rowOf(), given('6 Wochen, vier Wochen [A]'));
  const wrong = judge(rowOf(), given('Acht Wochen [A]', { relevance: 0.1 }));
  const near = rowOf({ expect: 'refused', kind: 'near', facts: [], may_cite: [] });
  const refused = judge(near, given('', { status: 'refused', citations: [] }));
  const figures = figuresOf([right, wrong, refused, judge(near, given('Acht Wochen [A]'))]);

  it('are shares of what they are shares of', () => {
    expect(
      [...figures].filter(([, { count }]) => count > 0).map(([name, { value }]) => [name, value]),
    ).toEqual([
      ['complete', 0.5],
      ['partly', 0],
      ['none', 0.5],
      ['refused', 0],
      ['off the point (of the answered)', 0],
      ['misleading (of all)', 0.5],
      ['near refused', 0.5],
    ]);
  });

  it('hold an interval around each, the same every time', () => {
    const { low, value, high } = figures.get('complete')!;
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(figuresOf([right, wrong]).get('complete')).toEqual(figuresOf([right, wrong]).get('complete'));
  });

  it('tell whether the estimate of relevance can be relied on', () => {
    expect(riskByCoverage([wrong, right]).map((each) => each.right.count)).toEqual([0, 1, 1, 2, 2]);
    expect(riskByCoverage([wrong, right])[2]!.right.value).toBe(1);
    expect(reliability([wrong, right])[4]).toMatchObject({ estimated: 0.9, right: { value: 1, count: 1 } });
  });
});

describe('rows', () => {
  it('are named by line where they are faulty, without their text', () => {
    expect(() => parseRows('{"id": "geheim"}\n{')).toThrow(/line 1: [^]*line 2: is no JSON/u);
    expect(() => rowOf({ facts: [['(']] })).toThrow(/no regular expression/u);
    expect(() => rowOf({ kind: 'near' })).toThrow(/no other has one/u);
    expect(() => rowOf({ facts: [] })).toThrow(/needs facts/u);
  });

  it.each(HALVES)('of the half %s are well formed where it is there', async (half) => {
    await expect(readRows(half)).resolves.toSatisfy((rows) => rows === null || Array.isArray(rows));
  });
});
