import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ASK_LIFECYCLE } from '../../../actors/ask/lifecycle.ts';
import { draw } from '../../../actors/lifecycle.ts';
import { BelegError } from '../../../events/errors.ts';
import type {
  Interaction as InteractionSchema,
  InteractionQuery,
  Story,
} from '../../../events/messages/audit.ts';
import { INTERACTION, RECORD, SHOWN } from './fake-replies.suite.ts';
import type { Script } from './fake-services.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { HOSTILE, overflow, usePages, type Opening } from './page.suite.ts';

type Interaction = z.output<typeof InteractionSchema>;

const RIGHT_TO_LEFT = 'Rechnung \u202Efdp.exe';

const interaction = (n: number, differences: Partial<Interaction> = {}): Interaction => ({
  ...INTERACTION,
  request_id: `request-${n}`,
  question: `Frage Nummer ${n}?`,
  rating: null,
  comments: [],
  ...differences,
});

/** The machine of an ask with the path that these events took. */
function machineAfter(...events: string[]): z.output<typeof Story>['machine'] {
  const { name, initial, states, transitions: edges } = draw(ASK_LIFECYCLE);
  const transitions = edges.map((edge) => ({ ...edge, taken: 0 }));
  const path: string[] = ['new'];
  for (const event of events) {
    const taken = transitions.find((edge) => edge.from === path.at(-1) && edge.event === event)!;
    taken.taken += 1;
    path.push(taken.to);
  }
  return { name, initial, states: [...states], transitions, path };
}

const REGENERATED = [
  'QuestionAsked',
  'PassagesRetrieved',
  'PassagesRetrieved',
  'AnswerDrafted',
  'DraftVerified',
  'AnswerDrafted',
  'DraftVerified',
  'AnswerGiven',
];

const textOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

describe.skipIf(!browserIsThere)("the operators' page in a browser", () => {
  const pages = usePages();
  const open = (script: Partial<Script> = {}, { path = '', ...opening }: Opening = {}) =>
    pages.open(script, {
      path: `/audit${path}`,
      until: '#list li, #unlock:not([hidden]), #list-problem *, #count:not(:empty)',
      timezoneId: 'Europe/Berlin',
      ...opening,
    });

  test('lists, filters and pages, and keeps words searched for out of its address', async () => {
    const asked: z.output<typeof InteractionQuery>[] = [];
    const all = Array.from({ length: 60 }, (_, n) => interaction(n));
    const page = await open(
      {
        listInteractions: (query) => {
          asked.push(query);
          if (query.text === 'nichts') return { interactions: [], next: null };
          // If few interactions match, a page may be empty without being the last.
          if (query.cursor === undefined) return { interactions: all.slice(0, 50), next: 'b' };
          if (query.cursor === 'b') return { interactions: [], next: 'c' };
          return { interactions: all.slice(50), next: null };
        },
      },
      { path: '#rating=down&from=2026-03-29&status=made-up' },
    );
    await page.getByText('Die neuesten 50, es gibt weitere').waitFor();
    // Daylight saving time begins on this day, so its midnight is still at +01:00.
    expect(asked).toEqual([{ limit: 50, rating: 'down', from: '2026-03-28T23:00:00.000Z' }]);
    await page.click('#next');
    await page.getByText('60 Vorgänge').waitFor();
    expect(await page.isVisible('#next')).toBe(false);
    expect(await focused(page)).toContain('Frage Nummer 50?');
    expect(await textOf(page, '#list .excerpt')).toEqual(all.map(({ question }) => question));

    await page.fill('#to', '2026-03-29');
    await page.selectOption('#status', 'refused');
    await page.fill('#text', 'nichts');
    await page.click('#filters button');
    await page.getByText('Kein Vorgang passt zu diesen Filtern.').waitFor();
    // The request need not be the last one, because an abandoned one may arrive later on a connection of its own.
    expect(asked).toContainEqual({
      limit: 50,
      status: 'refused',
      rating: 'down',
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
      text: 'nichts',
    });
    expect(new URL(page.url()).hash).toBe('#status=refused&rating=down&from=2026-03-29&to=2026-03-29');

    const before = asked.length;
    await page.fill('#to', '2026-03-28');
    await page.getByText('Das Ende liegt vor dem Beginn.').waitFor();
    expect(asked.length).toBe(before);
    await page.click('#reset');
    await page.getByText('Die neuesten 50').waitFor();
    expect(asked.at(-1)).toEqual({ limit: 50 });
  });

  test('shows all of one request, the way of its machine marked, and takes nothing as HTML', async () => {
    const requests: string[] = [];
    const shown: typeof SHOWN = structuredClone(SHOWN);
    const hostile = interaction(1, {
      question: HOSTILE,
      answer: `${HOSTILE} [EntgFG-3] ${RIGHT_TO_LEFT}`,
      rating: { rating: 'down', feedback: HOSTILE, at: INTERACTION.at },
      comments: [{ comment_id: 7, comment: HOSTILE, at: INTERACTION.at }],
      answers: 2,
    });
    const [first, last] = shown.story.entries;
    const page = await open({
      listInteractions: () => ({ interactions: [hostile], next: null }),
      showInteraction: () => ({
        interaction: hostile,
        story: {
          ...shown.story,
          machine: machineAfter(...REGENERATED),
          entries: [
            { ...first!, data: { question: HOSTILE } },
            { ...last!, revision: 9, data: { ...last!.data, model: HOSTILE, latency_ms: 1_250 } },
            {
              ...last!,
              after_ms: 3_600_000,
              stream: 'erasures',
              event: 'ErasureRequested',
              state: null,
              causation_id: 'another',
              data: { by: 'retention', reason: HOSTILE },
              id: 'the-erasure',
            },
            { ...last!, event: 'TextErased', state: null, causation_id: 'the-erasure', data: {} },
          ],
          omitted: 8,
        },
        chain: { stream: 's', whole: false, events: 3, faults: ['revision 3 is missing', HOSTILE] },
      }),
    });
    page.on('request', (request) => requests.push(request.url()));
    await page.click('#list a');
    await page.waitForSelector('#request-title');
    expect(await focused(page)).toBe('request-title');
    expect(new URL(page.url()).hash).toBe('#request=request-1');
    expect(await page.textContent('.words .asked')).toBe(HOSTILE);
    expect(await page.textContent('.words .prose')).toBe(`${HOSTILE} [EntgFG-3] Rechnung U+202Efdp.exe`);
    expect(await textOf(page, '.said')).toEqual([HOSTILE, HOSTILE]);
    expect(await page.textContent('#detail table')).toContain(`${HOSTILE}––1,25 s`);
    expect(await page.textContent('#detail')).toContain('Eine weitere Antwort gehört zu den Ereignissen');

    expect(await textOf(page, '.path li')).toEqual(machineAfter(...REGENERATED).path);
    const taken = await page.evaluate(
      `[...document.querySelectorAll('.edge.taken[data-edge]')].map((edge) => edge.dataset.edge + ' ' + edge.dataset.taken).sort()`,
    );
    expect(taken).toEqual([
      'asked PassagesRetrieved retrieved 1',
      'drafted DraftVerified verified 2',
      'new QuestionAsked asked 1',
      'retrieved AnswerDrafted drafted 1',
      'retrieved PassagesRetrieved retrieved 1',
      'verified AnswerDrafted drafted 1',
      'verified AnswerGiven answered 1',
    ]);
    expect(await page.locator('.edge[data-edge]').count()).toBe(13);
    expect(await page.textContent('.diagram .now text')).toBe('answered');
    expect(await page.textContent('.diagram desc')).toContain('Nicht erreicht: failed.');
    // No two names overlap.
    expect(
      await page.evaluate(`[...document.querySelectorAll('.diagram .label')].map((label) => label.getBoundingClientRect())
        .some((a, i, all) => all.slice(i + 1).some((b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom - 3 && b.top + 3 < a.bottom - 3))`),
    ).toBe(false);

    expect(await textOf(page, '.timeline > li strong, .timeline .omitted')).toEqual([
      'Frage gestellt',
      '8 Ereignisse werden hier nicht angezeigt.',
      'Antwort gegeben',
      'Löschung angefordert',
      'Text gelöscht',
    ]);
    expect(await textOf(page, '.after')).toEqual(['+ 12 ms', '+ 1 h 0 min', '+ 12 ms']);
    const [asked, , erasure, erased] = await textOf(page, '.who');
    expect(asked).toBe('Aufruf 1#0');
    expect(erasure).toBe('Aufruf 2nach Ablauf der Aufbewahrungsfristerasures #1');
    expect(erased).toContain('wegen „Löschung angefordert“');
    expect(await textOf(page, '[data-event=ErasureRequested] dt')).toEqual(['by', 'reason']);
    expect(await textOf(page, '[data-event=ErasureRequested] dd')).toEqual(['retention', HOSTILE]);
    expect(await textOf(page, '.chain li')).toEqual(['revision 3 is missing', HOSTILE]);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.chain li')).listStyleType`)).toBe(
      'disc',
    );

    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(requests.every((url) => url.startsWith(pages.url))).toBe(true);
    expect(pages.complaints).toEqual([]);

    await page.goBack();
    await page.getByText('Einen Vorgang aus der Liste wählen.').waitFor();
    expect(await focused(page)).toContain(HOSTILE);
  });

  test('calls no answer supported whose figures are implausible or whose sources contradict each other', async () => {
    const reviewed = interaction(1, { mode: 'review', answer_type: 'review', verdict: 'implausible' });
    const page = await open({
      listInteractions: () => ({
        interactions: [reviewed, interaction(2, { conflicts: 1 }), interaction(3)],
        next: null,
      }),
    });
    expect(await textOf(page, '#list .chip')).toEqual([
      'Nicht plausibel',
      'Widersprüchlich',
      'Zitate geprüft',
    ]);
  });

  test('gives a request as a file, all that is on record of it', async () => {
    const page = await open({}, { path: `#request=${INTERACTION.request_id}` });
    await page.waitForSelector('#request-title');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('text=Als JSON speichern'),
    ]);
    expect(download.suggestedFilename()).toBe(`${INTERACTION.request_id}.json`);
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual(SHOWN);
    expect(pages.complaints).toEqual([]);
  });

  test('erases after its reason and the request id are given, and forgets at once', async () => {
    const sent: unknown[] = [];
    let left: Interaction = interaction(1, {
      rating: { rating: 'up', feedback: 'Gut erklärt', at: INTERACTION.at },
    });
    const others = interaction(2);
    let fails = true;
    const page = await open(
      {
        listInteractions: () => ({ interactions: [left, others], next: null }),
        showInteraction: () => {
          // The old list disappears before anything is read again.
          if (left.erased_at !== null) throw new BelegError('DEADLINE_EXCEEDED');
          return { ...SHOWN, interaction: left };
        },
        erase: (request) => {
          sent.push(request);
          if (fails) throw new BelegError('STORE_UNAVAILABLE');
          left = { ...left, question: null, answer: null, erased_at: '2026-11-21T08:00:00.000Z' };
          return { request_id: request.request_id, erased_at: left.erased_at!, repeated: false };
        },
      },
      { path: '#request=request-1' },
    );
    await page.click('#erase-open');
    expect(await focused(page)).toBe('reason');
    const confirm = page.locator('dialog .danger');
    await confirm.click();
    expect(await textOf(page, 'dialog .fault')).toEqual([
      'Bitte ausfüllen.',
      'Das ist nicht die Kennung dieses Vorgangs.',
    ]);
    await page.fill('#reason', ' Verlangen der Person ');
    await page.fill('#repeat-id', 'request-2');
    await confirm.click();
    expect(await focused(page)).toBe('repeat-id');
    expect(sent).toEqual([]);
    await page.fill('#repeat-id', 'request-1');
    await confirm.click();
    await page.locator('dialog .error').waitFor();
    fails = false;
    await confirm.click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(sent.at(-1)).toEqual({ request_id: 'request-1', reason: 'Verlangen der Person' });
    expect(await textOf(page, '#list .excerpt')).toEqual(['Text gelöscht', others.question]);
    await page.locator('#detail .error').waitFor();
    expect(await page.textContent('#detail')).toContain('Der Text ist gelöscht.');
    expect(await page.content()).not.toMatch(/Frage Nummer 1|Gut erklärt|sechs Wochen/);
  });

  test('opens with the admin key alone, and keeps it in memory alone', async () => {
    const page = await open({}, { settings: { apiKeys: ['service'], adminApiKeys: ['the-admin-key'] } });
    expect(await page.isVisible('#inside')).toBe(false);
    for (const wrong of ['service', 'schlüssel']) {
      await page.fill('#key', wrong);
      await page.keyboard.press('Enter');
      await page.getByText('Mit diesem Schlüssel lässt sich das Protokoll nicht öffnen.').waitFor();
      expect(await focused(page)).toBe('key');
    }
    await page.fill('#key', ' the-admin-key ');
    await page.keyboard.press('Enter');
    await page.locator('#list li').waitFor();
    expect(await page.inputValue('#key')).toBe('');
    const kept = '[localStorage.length, sessionStorage.length, document.cookie, location.hash]';
    expect(await page.evaluate(kept)).toEqual([0, 0, '', '']);
    await page.click('#list a');
    await page.waitForSelector('#request-title');
    await page.click('#leave');
    expect(await focused(page)).toBe('key');
    expect(await page.textContent('#inside')).not.toContain(INTERACTION.question);
    await page.reload();
    await page.locator('#unlock').waitFor();
  });

  test('says what state the record is in, and proves it up to now', async () => {
    let fault: BelegError | null = new BelegError('UNAUTHORIZED', { detail: 'No key would do' });
    let checkpoint: { size: number; root: string; at: string; key: string | null } | null = null;
    const page = await open({
      listInteractions: () => {
        if (fault !== null) throw fault;
        return { interactions: [], next: null };
      },
      recordStatus: () => {
        if (fault !== null) throw fault;
        return { checkpoint, erased: 3 };
      },
      checkpoint: () => {
        checkpoint = { ...RECORD.checkpoint, key: 'a'.repeat(44) };
        return { size: 1_000, root: RECORD.checkpoint.root, note: 'beleg/1', repeated: false };
      },
    });
    expect(await page.textContent('#unlock .fault')).toContain('PV_ADMIN_API_KEY');
    fault = new BelegError('AUDIT_DISABLED');
    await page.fill('#key', 'any');
    await page.keyboard.press('Enter');
    await page.getByText('PV_AUDIT_ENABLED=true').waitFor();
    await page.locator('#record').waitFor({ state: 'hidden' });
    fault = new BelegError('INTERNAL');
    await page.click('#list-problem button');
    await page.locator('#list-problem').getByText('Im Dienst ist ein Fehler aufgetreten').waitFor();
    fault = null;
    await page.click('#list-problem button');
    await page.getByText('Noch kein Vorgang aufgezeichnet.').waitFor();
    await page.locator('#record dl').getByText('noch keiner').waitFor();
    await page.locator('.error').waitFor({ state: 'detached' });
    await page.click('#checkpoint');
    await page.getByText('Prüfpunkt über 1.000 Ereignisse erstellt.').waitFor();
    // The result for the checkpoint is shown before the record is read again.
    await expect
      .poll(() => page.textContent('#record dl'))
      .toMatch(/1\.000 Ereignisse.*9f86d08188…f00a08.*aaaaaaaaaa…aaaaaa.*3/s);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#record dd .copy');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(RECORD.checkpoint.root);
  });

  test('tells nothing of a checkpoint to who has left meanwhile', async () => {
    const made = Promise.withResolvers<void>();
    const script: Partial<Script> = {
      recordStatus: () => RECORD,
      checkpoint: async () => {
        await made.promise;
        return { size: 1_000, root: RECORD.checkpoint.root, note: 'beleg/1', repeated: false };
      },
    };
    const page = await open(script, { settings: { apiKeys: ['service'], adminApiKeys: ['the-admin-key'] } });
    await page.fill('#key', 'the-admin-key');
    await page.keyboard.press('Enter');
    await page.click('#checkpoint');
    await page.click('#leave');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    made.resolve();
    await page.locator('#checkpoint:enabled').waitFor({ state: 'attached' });
    expect(await page.textContent('#record [role=status]')).toBe('');
    expect(asked).toEqual([]);
  });

  test('gives up a look at the record that a later one has overtaken', async () => {
    let fails = true;
    const earlier = Promise.withResolvers<typeof RECORD>();
    const page = await open({
      listInteractions: () => {
        if (fails) throw new BelegError('INTERNAL');
        return { interactions: [], next: null };
      },
      recordStatus: () => (fails ? earlier.promise : RECORD),
    });
    fails = false;
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/record'));
    await page.click('#list-problem button');
    await givenUp;
    await page.locator('#record dl').getByText('1.000 Ereignisse').waitFor();
    earlier.resolve(RECORD);
  });

  test('fits a phone in the dark, in English, one pane at a time', async () => {
    const long = 'Donaudampfschifffahrt'.repeat(40);
    const widest = interaction(1, { request_id: 'x'.repeat(128), question: long, answer: long });
    const page = await open(
      {
        listInteractions: () => ({ interactions: [widest], next: null }),
        showInteraction: () => ({
          ...SHOWN,
          interaction: widest,
          story: { ...SHOWN.story, machine: machineAfter(...REGENERATED) },
        }),
      },
      { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'en-GB' },
    );
    expect(await page.textContent('#count')).toBe('1 request');
    expect(await overflow(page)).toBe(0);
    await page.click('#list a');
    await page.waitForSelector('#request-title');
    expect(await page.isVisible('#browse')).toBe(false);
    expect(await overflow(page)).toBe(0);
    await page.click('.back a');
    await page.locator('#list li').waitFor();
    expect(await page.isVisible('#detail')).toBe(false);
  });
});
