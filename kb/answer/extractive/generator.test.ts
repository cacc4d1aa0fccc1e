import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import type { Match } from '../../ranking/fit.ts';
import type { Draft, GenerateInput } from '../ports.ts';
import { renderDraft } from '../render.ts';
import { NO_FRAME_CONTEXT } from '../templates.ts';
import { verify } from '../verify.ts';
import { createExtractiveGenerator } from './generator.ts';

const generator = createExtractiveGenerator();
const { signal } = new AbortController();

function hit(id: string, text: string, score = 1): Hit {
  const source: Source = {
    id,
    title: `§ ${id}`,
    section: 'Abschnitt 1',
    stand: '2022-03',
    work: 'Test',
    lang: 'de',
    year: null,
    text,
  };
  return { source, score, passages: [{ source, text, start: 0 }], referenced: false };
}

/** A passage of a document below `Haus`. */
const passage = (id: string, title: string, text: string, share: number): Hit => {
  const { source, ...rest } = hit(id, text);
  const whole: Source = {
    ...source,
    title,
    section: 'Haus',
    path: 'haus.md',
    units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
  };
  return {
    ...rest,
    source: whole,
    passages: [{ source: whole, text, start: 0 }],
    match: { kind: 'document', share } as Match,
  };
};

/** A passage whose lines are rows of a table. */
const rowsOf = (id: string, text: string, share: number): Hit => {
  const { source, ...rest } = passage(id, 'Dienste', text, share);
  const rows = text.split('\n');
  const starts = rows.map((_, i) => rows.slice(0, i).reduce((sum, row) => sum + row.length + 1, 0));
  const units = rows.map((row, i) => ({
    kind: 'row' as const,
    start: starts[i]!,
    end: starts[i]! + row.length,
    lead: null,
  }));
  return { ...rest, source: { ...source, units } };
};

function ask(
  question: string,
  hits: readonly Hit[],
  more: Partial<GenerateInput> = {},
): Promise<Draft | null> {
  return generator.generate(
    { question, parts: [], language: 'de', hits, attempt: 0, failures: [], previous: null, ...more },
    signal,
  );
}

const texts = (draft: Draft | null): string[] => draft?.sentences.map((sentence) => sentence.text) ?? [];

const LEAVE = hit(
  'BUrlG-3',
  'Der Urlaub beträgt jährlich mindestens 24 Werktage. Als Werktage gelten alle Kalendertage, die nicht Sonn- oder gesetzliche Feiertage sind.',
);

const askBelow = (title: string): Promise<Draft | null> =>
  ask('Wie viel ist in der Kasse?', [passage('k', title, 'Neue Lampen?', 0.9)]);

describe('the extractive generator', () => {
  it('quotes the sentence that answers, with its id', async () => {
    const draft = await ask('Wie viele Werktage beträgt der Urlaub mindestens?', [LEAVE]);
    expect(draft?.sentences[0]).toEqual({
      kind: 'statement',
      text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage.',
      citations: ['BUrlG-3'],
      decisive: true,
    });
  });

  it('quotes the sentence before one that opens with a pronoun', async () => {
    const source = hit(
      'A',
      'Die Firma Muster wurde 1936 gegründet. Sie stellt in Köln Brot her. Anderes ist hier ohne Belang.',
    );
    expect(texts(await ask('Was stellt man in Köln her?', [source])).slice(0, 2)).toEqual([
      'Die Firma Muster wurde 1936 gegründet.',
      'Sie stellt in Köln Brot her.',
    ]);
  });

  it('quotes a list item with its lead-in, each as a statement of its own', async () => {
    const source = hit(
      'B',
      'Der Nachweis muss enthalten:\n1. die Dauer des Urlaubs,\n2. die Kündigungsfristen,\n3. den Arbeitsort.',
    );
    const answer = texts(await ask('Muss der Nachweis die Kündigungsfristen enthalten?', [source]));
    expect(answer[0]).toBe('Der Nachweis muss enthalten:');
    expect(answer).toContain('2. die Kündigungsfristen,');
  });

  it('knows a sentence by the synonyms that the search went by', async () => {
    const text = 'Wer kündigt, tut es schriftlich. Der Lohn kommt am Ersten. Es gilt das Gesetz.';
    const synonyms = new Map([['rauswurf', ['kundigt']]]);
    const question = 'Geht ein Rauswurf so?';
    expect(texts(await ask(question, [{ ...hit('E', text), synonyms }]))[0]).toBe(
      'Wer kündigt, tut es schriftlich.',
    );
  });

  it('quotes a source that is asked for by name from its beginning', async () => {
    const text = 'Der Anspruch besteht. Er dauert sechs Wochen nach § 3 EntgFG. Mehr nicht.';
    const named = { ...hit('EntgFG-3', text), referenced: true };
    const other = hit('X', 'Das regelt § 3 EntgFG.', 2);
    expect(texts(await ask('Was regelt § 3 EntgFG?', [named, other]))[0]).toBe('Der Anspruch besteht.');
  });

  it('answers each part of a question that asks several things', async () => {
    const wage = hit('ML', 'Der Mindestlohn beträgt 9,82 Euro je Stunde. Er gilt für alle Arbeitnehmer.');
    const question = 'Wie hoch ist der Mindestlohn und wie viele Werktage beträgt der Urlaub?';
    const parts = ['Wie hoch ist der Mindestlohn', 'wie viele Werktage beträgt der Urlaub?'].map((part) => ({
      question: part,
      covered: true,
      hits: part.includes('Mindestlohn') ? [wage, LEAVE] : [LEAVE, wage],
    }));
    const draft = await ask(question, [wage, LEAVE], { parts });
    expect(
      draft?.sentences.map((sentence) => (sentence.kind === 'statement' ? sentence.part : null)),
    ).toEqual([0, 0, 1, 1]);
    const answer = texts(draft);
    expect(answer[0]).toBe('Der Mindestlohn beträgt 9,82 Euro je Stunde.');
    expect(answer).toContain('Der Urlaub beträgt jährlich mindestens 24 Werktage.');
  });

  it('tells the sentence that contradicts the question first, and the others apart from it in their order', async () => {
    const rules = passage(
      'H',
      'Hausordnung',
      'Die Miete ist fällig. Haustiere sind nicht erlaubt. Der Hof ist offen.',
      0.9,
    );
    const draft = await ask('Sind Haustiere erlaubt?', [rules]);
    expect(renderDraft(draft!)).toBe(
      'Nein: Haustiere sind nicht erlaubt. [H]\n\nDie Miete ist fällig. [H] Der Hof ist offen. [H]',
    );
    const first = passage('H', 'Hausordnung', 'Haustiere sind nicht erlaubt. Der Hof ist offen.', 0.9);
    expect(renderDraft((await ask('Sind Haustiere erlaubt?', [first]))!)).toBe(
      'Nein: Haustiere sind nicht erlaubt. [H] Der Hof ist offen. [H]',
    );
  });

  it('keeps what held, and puts no other passage in the place of what was turned down', async () => {
    const hits = [LEAVE, hit('C', 'Urlaub ist zu gewähren. Der Urlaub muss zusammenhängen.', 0.8)];
    const question = 'Wie viele Werktage beträgt der Urlaub mindestens?';
    const turnDown = (draft: Draft | null, from: number): Partial<GenerateInput> => ({
      attempt: 1,
      previous: draft,
      failures: texts(draft)
        .map((text, sentence) => ({ sentence, text, rule: 'content_not_covered' as const }))
        .slice(from),
    });
    const first = await ask(question, hits);
    expect(texts(await ask(question, hits, turnDown(first, 1)))[0]).toBe(texts(first)[0]);
    // The relevance is that of the first passage, so no other replaces it.
    expect(await ask(question, hits, turnDown(first, 0))).toBeNull();
  });

  it('has no answer without passages', async () => {
    expect(await ask('Wie viele Werktage?', [])).toBeNull();
  });

  it.each([
    'Es sind 24 Werktage [1] im Jahr.',
    'Es sind 24 Werktage [BV-12].',
    'Es sind 24 Werktage, siehe [Urlaub](https://example.org/urlaub).',
    'Es sind 24 Werktage, siehe [[Urlaub]].',
    'Die Werktage [Ost] sind 24.',
    '- [x] 24 Werktage sind eingetragen',
  ])('tells a sentence with square brackets, which nobody can take for a citation: %s', async (text) => {
    const source = hit('D', text);
    const draft = (await ask('Wie viele Werktage?', [source, LEAVE]))!;
    expect(texts(draft)).toEqual([text.replace(/^- /u, '')]);

    const context = { language: 'de', hits: [source], exists: () => true, frames: NO_FRAME_CONTEXT } as const;
    expect(verify(draft, context)).toEqual({ verified: true, failures: [] });
    expect([...renderDraft(draft).matchAll(/\[([A-Za-z0-9][\w.-]*)\]/gu)].map(([, id]) => id)).toEqual(['D']);
  });

  it('tells first what contradicts the question, behind a sentence of its own', async () => {
    const house = hit('H', 'Das Haus hat drei Etagen. Haustiere sind nicht erlaubt. Der Garten ist offen.');
    const draft = (await ask('Sind Haustiere erlaubt?', [house]))!;
    expect(renderDraft(draft)).toBe(
      'Nein: Haustiere sind nicht erlaubt. [H]\n\nDas Haus hat drei Etagen. [H] Der Garten ist offen. [H]',
    );

    const verdict = (contradicts: () => boolean) =>
      verify(draft, {
        language: 'de',
        hits: [house],
        exists: () => true,
        frames: { ...NO_FRAME_CONTEXT, contradicts },
      });
    expect(verdict(() => true)).toEqual({ verified: true, failures: [] });
    expect(verdict(() => false).failures).toMatchObject([{ sentence: 0, rule: 'unknown_frame' }]);
  });

  it('tells two sections of one title apart where their whole path is too long to be told', async () => {
    const hits = ['Ufer', 'Hang'].map((place): Hit => {
      const text = `Ein Platz am ${place} kostet nach dieser Liste je Tag eine Gebühr.`;
      const { source, ...rest } = passage(place, 'Gebühren', text, 0.4);
      const section = `${'Satzung über die Märkte '.repeat(4)}› Verzeichnis ${place}`;
      return { ...rest, source: { ...source, section } };
    });
    const draft = (await ask('Was kostet ein Platz?', hits))!;
    expect(draft.sentences.map((sentence) => ('heading' in sentence ? sentence.heading : null))).toEqual([
      'Verzeichnis Ufer › Gebühren',
      'Verzeichnis Hang › Gebühren',
    ]);
  });

  it('tells passages of documents below their headings, which the verifier knows', async () => {
    const hits = [
      passage('k', 'Küche', 'Die Küche putzt der Spüldienst.', 0.4),
      passage('z', 'Zimmer', 'Das Zimmer putzt jeder selbst.', 0.3),
    ];
    const draft = (await ask('Wer putzt hier?', hits))!;
    expect(renderDraft(draft)).toBe(
      'Haus › Küche\nDie Küche putzt der Spüldienst. [k]\n\nHaus › Zimmer\nDas Zimmer putzt jeder selbst. [z]',
    );

    const context = { language: 'de', hits, exists: () => true, frames: NO_FRAME_CONTEXT } as const;
    expect(verify(draft, context).verified).toBe(true);
    const [first, ...others] = draft.sentences;
    const renamed = { sentences: [{ ...first!, heading: 'Haus › Bad' }, ...others] };
    expect(verify(renamed, context).failures).toMatchObject([{ sentence: 0, rule: 'unknown_frame' }]);

    const both = [hits[0]!, passage('k_2', 'Küche', 'Den Herd putzt, wer kocht.', 0.3)];
    expect(renderDraft((await ask('Wer putzt hier?', both))!)).toBe(
      'Haus › Küche\nDie Küche putzt der Spüldienst. [k]\n\nDen Herd putzt, wer kocht. [k_2]',
    );

    const alone = (await ask('Wer putzt hier?', [passage('k', 'Küche', 'Der Spüldienst.', 0.7), hits[1]!]))!;
    expect(renderDraft(alone)).toBe('Der Spüldienst. [k]');

    const yes = passage('k', 'Putzt der Spüldienst?', 'Ja, er putzt hier die Küche.', 0.7);
    expect(renderDraft((await ask('Wer putzt hier?', [yes]))!)).toBe(
      'Haus › Putzt der Spüldienst?\nJa, er putzt hier die Küche. [k]',
    );
  });

  it('tells each item of a list, although two are the same', async () => {
    const text = 'Montag: Küche. Licht aus.\nDienstag: Flur. Licht aus.\nMittwoch: frei.\nMittwoch: frei.';
    expect(renderDraft((await ask('Welche Dienste gibt es?', [rowsOf('d', text, 0.9)]))!)).toBe(
      text
        .split('\n')
        .map((row) => `${row} [d]`)
        .join('\n'),
    );
    const house = hit('H', 'Das Tor ist zu. Es ist rot. Das Tor ist zu. Es ist alt.');
    expect(texts(await ask('Ist das Tor zu?', [house]))).toHaveLength(4);
  });

  it('tells a text once that two documents have, and names both', async () => {
    const rules =
      'Den Beleg bekommt die Kasse nach dem Kauf, spätestens aber am Ende des Monats. Das Geld kommt dann auf das Konto, das auf dem Beleg steht.';
    const page = passage('a', 'Kasse', rules, 0.5);
    const printed = passage('b', 'Kasse', `${rules.replaceAll('. ', '.\n')} Im Januar wird geprüft.`, 0.5);
    const hits = [page, { ...printed, source: { ...printed.source, path: 'haus.pdf' } }];
    const draft = (await ask('Wann bekommt die Kasse den Beleg?', hits))!;
    expect(renderDraft(draft)).toBe(`${rules.replace('. ', '. [a][b] ')} [a]`);
    const context = { language: 'de', hits, exists: () => true, frames: NO_FRAME_CONTEXT } as const;
    expect(verify(draft, context).verified).toBe(true);
  });

  it('tells a heading that says something itself', async () => {
    expect(renderDraft((await askBelow('Kasse (am 31.03.2024: 120,50 €)'))!)).toBe(
      'Haus › Kasse (am 31.03.2024: 120,50 €)\nNeue Lampen? [k]',
    );
    expect(renderDraft((await askBelow('Kasse 2024'))!)).toBe('Neue Lampen? [k]');
  });

  it('says that a list goes on in the source where its rest is not told', async () => {
    const beginning = rowsOf('d', 'Montag: Küche', 0.9);
    const rest = rowsOf('d_2', Array.from({ length: 12 }, (_, i) => `Tag ${i}: Flur`).join('\n'), 0.01);
    const cut = { kind: 'frame', text: 'Die Quelle nennt noch weitere Punkte.' };
    expect((await ask('Welcher Dienst ist am Montag?', [beginning, rest]))!.sentences.at(-1)).toEqual(cut);
    expect((await ask('Welcher Dienst ist am Montag?', [beginning]))!.sentences).not.toContainEqual(cut);
  });

  it('quotes sentences word for word, whatever the text, the same each time', async () => {
    const word = fc.constantFrom(
      'Urlaub',
      'Lohn',
      'der',
      'beträgt',
      '24',
      'Er',
      'z. B.',
      'Euro',
      'nicht',
      '12.',
    );
    const sentence = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => `${words.join(' ')}.`);
    const text = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), sentence, async (bodies, question) => {
        const hits = bodies.map((body, i) => hit(`S${i}`, body, 1 / (i + 1)));
        const draft = await ask(question, hits);
        expect(await ask(question, hits)).toEqual(draft);
        if (draft === null) return;
        expect(draft.sentences.length).toBeGreaterThan(0);
        for (const entry of draft.sentences) {
          if (entry.kind !== 'statement') throw new Error('a frame');
          const source = hits.find(({ source }) => source.id === entry.citations[0]);
          expect(source?.source.text).toContain(entry.text);
        }
      }),
    );
  });
});
