import { describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import { ListInteractions } from '../../../events/messages/audit.ts';
import { INTERACTION } from '../../gateway/knowledge/fake-replies.suite.ts';
import type { OperatorLink } from '../link/operator-link.ts';
import { formatInteraction, toBlocks } from './list-feedback.ts';
import { type FeedbackFilters, readFeedback, type Interaction } from './read-feedback.ts';

const one = (differences: Partial<Interaction> = {}): Interaction => ({ ...INTERACTION, ...differences });

async function* each(...interactions: readonly Interaction[]): AsyncGenerator<Interaction> {
  yield* interactions;
}

type Answer = () => (typeof ListInteractions.reply)['_zod']['output'];

/** A link to services that give these replies one after the other; `asked` has the requests. */
function linkTo(...replies: readonly Answer[]) {
  const asked: unknown[] = [];
  const left = [...replies];
  const link: Pick<OperatorLink, 'call'> = {
    async call(definition, payload) {
      asked.push(payload);
      return definition.reply.parse(left.shift()!());
    },
  };
  return { link, asked };
}

const building = () => {
  throw new BelegError('SERVICE_UNAVAILABLE', { retryAfter: 0.001 });
};

describe('reading', () => {
  test('goes from page to page until there is none', async () => {
    const { link, asked } = linkTo(
      () => ({ interactions: [one({ request_id: 'a' })], next: 'x' }),
      () => ({ interactions: [], next: 'y' }),
      () => ({ interactions: [one({ request_id: 'b' })], next: null }),
    );
    const read = await Array.fromAsync(readFeedback(link, { rating: 'down', text: 'Öl' }));
    expect(read.map(({ request_id }) => request_id)).toEqual(['a', 'b']);
    const query = { limit: 200, feedback: true, rating: 'down', text: 'Öl' };
    expect(asked).toEqual([query, { ...query, cursor: 'x' }, { ...query, cursor: 'y' }]);
  });

  test.each<[FeedbackFilters, object]>([
    [{}, { limit: 200, feedback: true }],
    [{ all: true }, { limit: 200 }],
    [
      { all: true, status: 'refused' },
      { limit: 200, status: 'refused' },
    ],
    [
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
      { limit: 200, feedback: true, from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    ],
  ])('asks for %j as %j', async (filters, query) => {
    const { link, asked } = linkTo(() => ({ interactions: [], next: null }));
    await Array.fromAsync(readFeedback(link, filters));
    expect(asked).toEqual([query]);
    expect(ListInteractions.request.safeParse(query).success).toBe(true);
  });

  test('waits for tables that are being built, and for nothing else', async () => {
    const { link, asked } = linkTo(building, building, () => ({ interactions: [], next: null }));
    expect(await Array.fromAsync(readFeedback(link, {}))).toEqual([]);
    expect(asked).toHaveLength(3);
    const away = linkTo(() => {
      throw new BelegError('SERVICE_UNAVAILABLE');
    });
    await expect(Array.fromAsync(readFeedback(away.link, {}))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('the list', () => {
  const plain = { columns: 80, colour: false };

  test('has a block for each answer', async () => {
    const refused = one({
      at: '2026-01-14T10:00:00.000Z',
      status: 'refused',
      rating: { rating: 'down', feedback: null, at: '2026-01-14T10:01:00.000Z' },
      answer: 'Dazu enthält die Wissensbasis nichts.',
      comments: [],
    });
    expect((await Array.fromAsync(toBlocks(each(one(), refused), plain, {}))).join(''))
      .toBe(`2026-01-15 08:00:00Z  ▲ up  answered  7d9f3c1e-0b43-4a51-9a53-5f0f8c1e2b6d
  question  Wie lange wird das Entgelt bei Krankheit fortgezahlt?
  answer    Der Anspruch auf Entgeltfortzahlung im Krankheitsfall besteht für
            die Zeit der Arbeitsunfähigkeit bis zur Dauer von sechs Wochen
            [EntgFG-3].
  feedback  Genau das habe ich gesucht.
  comment   #1 2026-01-15 08:02:00Z Bitte auch auf § 3 Abs. 3 hinweisen.

2026-01-14 10:00:00Z  ▼ down  refused  7d9f3c1e-0b43-4a51-9a53-5f0f8c1e2b6d
  question  Wie lange wird das Entgelt bei Krankheit fortgezahlt?
  answer    Dazu enthält die Wissensbasis nichts.
`);
  });

  test('says where there are none, and what else there may be', async () => {
    const remarks: string[] = [];
    expect(await Array.fromAsync(toBlocks(each(), plain, {}, (remark) => remarks.push(remark)))).toEqual([]);
    expect(await Array.fromAsync(toBlocks(each(), plain, { all: true }, (r) => remarks.push(r)))).toEqual([]);
    expect(remarks).toEqual([
      'beleg: no answers match; --all also lists answers without a rating or comment',
      'beleg: no answers match',
    ]);
  });

  test('shortens the answer, and lets no text steer the terminal', () => {
    const shown = formatInteraction(
      one({ answer: 'lang '.repeat(100), question: 'a\u001b[31mb\nc\u202e' }),
      plain,
    );
    const lines = shown.split('\n');
    expect(lines[1]).toBe('  question  a [31mb c');
    expect(lines.filter((line) => line.includes('lang'))).toHaveLength(3);
    expect(lines[4]).toMatch(/lang…$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('says what is gone', () => {
    const gone = one({ question: null, answer: null, comments: [], rating: null });
    expect(formatInteraction(gone, plain)).toContain('question  (not recorded)');
    expect(formatInteraction({ ...gone, erased_at: '2026-02-01T00:00:00.000Z' }, plain)).toContain(
      'answer    (erased 2026-02-01 00:00:00Z)',
    );
  });
});
