import { describe, expect, it } from 'vitest';
import { quotesOf } from '../quotes.ts';
import type { Draft } from '../ports.ts';
import { NO_FRAME_CONTEXT } from '../templates.ts';
import { verify } from '../verify.ts';
import type { Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { createExtractiveGenerator } from './generator.ts';

function hit(id: string, text: string): Hit {
  const source: Source = {
    id,
    title: id,
    section: '',
    stand: '2022-03',
    work: 'Handbuch',
    lang: 'de',
    year: null,
    text,
  };
  return { source, score: 1, passages: [{ source, text, start: 0 }], referenced: false };
}

const words = (count: number): string =>
  Array.from({ length: count }, (_, i) => `Gerät Nummer ${i} in Halle ${i % 7}`).join(', ');
const PARKING = hit('PARKEN', 'Geparkt wird auf dem Hof.');
const QUESTION = 'Wo hängt der Feuerlöscher der Werkstatt?';

async function tell(
  text: string,
): Promise<{ draft: Draft | null; verified: boolean | null; source: Source }> {
  const found = hit('LOESCHER', text);
  const input = { question: QUESTION, parts: [], language: 'de', hits: [found, PARKING] } as const;
  const draft = await createExtractiveGenerator().generate(
    { ...input, attempt: 0, failures: [], previous: null },
    new AbortController().signal,
  );

  const context = { language: 'de', hits: input.hits, exists: () => true, frames: NO_FRAME_CONTEXT } as const;
  return { draft, verified: draft && verify(draft, context).verified, source: found.source };
}

describe('a sentence that is longer than a short text', () => {
  it('is told whole', async () => {
    const text = `Der Feuerlöscher der Werkstatt hängt am Tor, und außerdem gibt es ${words(30)}.`;
    const { draft, verified } = await tell(text);
    expect(draft).toEqual({
      sentences: [{ kind: 'statement', text, citations: ['LOESCHER'], decisive: true }],
    });
    expect(verified).toBe(true);
  });

  it('is cut between words to what was asked where no answer should be as long, marked and verified', async () => {
    const text = `Es gibt ${words(80)}, der Feuerlöscher der Werkstatt hängt am Tor, ${words(80)}.`;
    const { draft, verified, source } = await tell(text);
    const [told, frame] = draft!.sentences;
    expect(told).toMatchObject({ citations: ['LOESCHER'] });
    expect(told!.text).toMatch(/^… .*der Feuerlöscher der Werkstatt hängt am Tor.* …$/u);
    expect(told!.text.split(' ').length).toBeLessThan(200);
    expect(text).toContain(told!.text.slice(2, -2));
    expect(frame).toEqual({ kind: 'frame', text: 'Die Quelle nennt noch weitere Punkte.' });
    expect(verified).toBe(true);
    const [quote] = quotesOf(
      source,
      draft!.sentences.filter((each) => each.kind === 'statement'),
    );
    expect(text.slice(quote!.start, quote!.end)).toBe(told!.text.slice(2, -2));
  });

  it('is not told where the cut would leave out a negation, and no other passage is told for it', async () => {
    const text = `Nicht in der Halle ist ${words(80)}, der Feuerlöscher der Werkstatt, ${words(80)}.`;
    expect((await tell(text)).draft).toBeNull();
  });

  it('holds as a cut quote only where the cut is marked, between words, and leaves out no negation', () => {
    const source = hit('A', 'Der Urlaub verfällt zum Ende des Jahres nicht, wenn er beantragt war.').source;
    const holds = (text: string): boolean =>
      verify(
        { sentences: [{ kind: 'statement', text, citations: ['A'] }] },
        {
          language: 'de',
          hits: [{ ...PARKING, source }],
          exists: () => true,
          frames: NO_FRAME_CONTEXT,
        },
      ).verified;
    expect(holds('Der Urlaub verfällt zum Ende des Jahres nicht, …')).toBe(true);
    expect(holds('Der Urlaub verfällt zum Ende des Jahres …')).toBe(false);
    expect(holds('… Urlaub verfällt …')).toBe(false);
    expect(holds('… rlaub verfällt zum Ende des Jahres nicht, …')).toBe(false);
  });
});

const table = (rows: number): string =>
  [
    '| Gerät | Ort |',
    '|---|:--:|',
    ...Array.from({ length: rows }, (_, i) => `| Gerät ${i} | Halle ${i}. Der Rest im Keller |`),
    '| Feuerlöscher der Werkstatt | Tor 4 |',
  ].join('\n');

describe('a table', () => {
  it.each([1, 14, 40, 500])('of %i rows and one is told by its row, under its headings', async (rows) => {
    const { draft, verified } = await tell(`Geräte im Haus:\n\n${table(rows)}`);
    const texts = draft!.sentences.map(({ text }) => text);
    expect(texts).toContain('| Gerät | Ort |');
    expect(texts).toContain('| Feuerlöscher der Werkstatt | Tor 4 |');
    expect(texts.length).toBeLessThan(18);
    expect(verified).toBe(true);
  });
});
