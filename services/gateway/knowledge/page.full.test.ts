import { describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import { ANSWERED } from './fake-replies.suite.ts';
import { answerTo } from './fake-services.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { answering, ask, HOSTILE, overflow, QUESTION, usePages } from './page.suite.ts';

describe.skipIf(!browserIsThere)('the test page in a browser', () => {
  const pages = usePages();

  test('shows status, answer, linked citations, sources and metadata, and breaks no policy', async () => {
    const requests: string[] = [];
    const page = await pages.open();
    page.on('request', (request) => requests.push(request.url()));
    expect(await page.textContent('#status-text')).toBe('Bereit');
    await ask(page, 'Wie lange wird das Entgelt 2022 bei Krankheit fortgezahlt?');
    expect(await page.getAttribute('.answer', 'data-state')).toBe('verified');
    expect(await page.textContent('.banner')).toContain('Belegt – Jede Aussage hat eine geprüfte Quelle.');
    expect(await page.textContent('.prose')).toContain('bis zur Dauer von sechs Wochen [1].');
    expect(await page.getAttribute('.citation', 'title')).toBe('EntgFG-3');
    expect(await page.textContent('.sources')).toContain('EntgFG · § 3 Abs. 1 · Stand März 2022');
    expect(await page.textContent('.details')).toContain('knowledge_base_only');
    expect(requests.every((request) => request.startsWith(pages.url))).toBe(true);
    expect(pages.complaints).toEqual([]);
  });

  test('copies an answer with its sources, and with how far it can be relied on', async () => {
    const page = await pages.open({}, { permissions: ['clipboard-read', 'clipboard-write'] });
    await ask(page);
    await page.click('text=Antwort kopieren');
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await expect
      .poll(copied)
      .toMatch(/^Wie lange wird .*\?\n\nDer Anspruch .* \[EntgFG-3\]\.\n\nBelegt, aber nicht/);
    expect(await copied()).toContain(
      '[EntgFG-3] Anspruch auf Entgeltfortzahlung im Krankheitsfall (EntgFG · § 3',
    );
  });

  test('warns of personal data before it is sent, and sends it all the same', async () => {
    const page = await pages.open();
    const warning = page.locator('#personal-data');
    expect(await warning.isVisible()).toBe(false);
    await page.fill('#question', 'Pfändung auf DE89 3704 0044 0532 0130 00 von Herrn Müller, Lohn 3.200 €?');
    expect(await warning.textContent()).toContain('eine IBAN und einen Namen mit Verdienst.');
    await page.click('#submit');
    await page.waitForSelector('.answer');
    await page.fill('#question', QUESTION);
    expect(await warning.isVisible()).toBe(false);
    expect(pages.complaints).toEqual([]);
  });

  test('keeps a text that is too long whole, says so, and sends nothing', async () => {
    const asked: string[] = [];
    const page = await pages.open({
      ask: ({ question, request_id }) => (asked.push(question), answerTo(question, request_id)),
    });
    await page.evaluate(`document.querySelector('#question').focus()`);
    // Enters the text at once, as a paste does.
    await page.keyboard.insertText(`${QUESTION} `.repeat(60));
    expect((await page.inputValue('#question')).length).toBeGreaterThan(2_000);
    await page.click('#submit');
    expect(await page.textContent('.fault')).toBe('Höchstens 2000 Zeichen.');
    expect(asked).toEqual([]);
    await ask(page);
    await page.click('text=Kommentar schreiben');
    await page.focus('#comment');
    await page.keyboard.insertText('Gut so. '.repeat(300));
    await page.click('text=Kommentar speichern');
    expect(await page.textContent('.feedback .fault')).toBe('Höchstens 2000 Zeichen.');
    expect(pages.complaints).toEqual([]);
  });

  test('passes on the depth of search and refuses a wrong one itself', async () => {
    const seen: number[] = [];
    const page = await pages.open({
      ask: ({ question, request_id, top_k }) => (seen.push(top_k), answerTo(question, request_id)),
    });
    await page.click('#more summary');
    await page.fill('#top-k', '51');
    await page.fill('#question', QUESTION);
    await page.click('#submit');
    expect(await page.evaluate('document.activeElement.id')).toBe('top-k');
    await page.fill('#top-k', '20');
    await ask(page);
    expect(seen).toEqual([20]);
  });

  test.each<[string, Partial<AskResponse>, string]>([
    [
      'a refusal',
      { status: 'refused', refused: true, verified: false, sources: [], citations: [] },
      'Keine Antwort',
    ],
    ['an uncertain draft', { status: 'uncertain', verified: false }, 'Nicht gesichert'],
    ['an answer that is not verified', { verified: false }, 'Nicht geprüft'],
    [
      'sources that contradict each other',
      { conflicts: [{ text: '⚠ A [A] B [B]', source_ids: ['A', 'B'] }] },
      'Widersprüchlich – Jede Aussage hat eine Quelle, aber die Quellen widersprechen sich.',
    ],
    [
      'a part that is not covered',
      { grounding: { ...ANSWERED.grounding, uncovered: 'Dazu fehlt eine Quelle: „B“.' } },
      'Nur teilweise belegt',
    ],
    [
      'an answer that may be about something else',
      { grounding: { ...ANSWERED.grounding, relevance: 0.49 } },
      'Passt vielleicht nicht',
    ],
    [
      "the law of another day under a question about today's",
      {},
      'Die Wissensbasis hat den Rechtsstand März 2022.',
    ],
  ])('marks %s', async (_, differences, words) => {
    const page = await pages.open({ ask: answering(differences) });
    await ask(page);
    const banner = page.locator('.banner');
    expect(await banner.isVisible()).toBe(true);
    expect(await banner.textContent()).toContain(words);
    expect(await page.getAttribute('.answer', 'data-state')).not.toBe('verified');
  });

  test('shows both sides of a conflict and the question back, each once', async () => {
    const conflict = '⚠ Das sind 1 Euro. [A] Das sind 2 Euro. [B]';
    const page = await pages.open({
      ask: answering({
        answer: `Es gilt ein Betrag. [A]\n\n${conflict}\n\nRechtsstand der Wissensbasis: März 2022. Rückfrage: Welches Jahr?`,
        conflicts: [{ text: conflict, source_ids: ['A', 'B'] }],
        clarification_question: 'Welches Jahr?',
        citations: ['A', 'B'],
        sources: ['A', 'B'].map((id) => ({
          id,
          title: id,
          section: '',
          stand: '2022-03',
          dated: true,
          work: 'W',
          url: null,
          path: null,
          page: null,
          quotes: [],
          text_hash: null,
        })),
      }),
    });
    await ask(page);
    expect(await page.locator('.prose p').allTextContents()).toEqual([
      'Es gilt ein Betrag. [1]',
      'Rechtsstand der Wissensbasis: März 2022.',
    ]);
    expect(await page.locator('.answer .notice.warning p').allTextContents()).toEqual([
      '⚠ Das sind 1 Euro. [1]',
      'Das sind 2 Euro. [2]',
    ]);
    await page.click('text=Frage ergänzen');
    expect(await page.evaluate('document.activeElement.id')).toBe('question');
    expect(await page.textContent('.answer')).toMatch(
      /^(?:(?!Welches Jahr).)*Welches Jahr\?(?!.*Welches Jahr)/s,
    );
  });

  test('takes nothing the service says as HTML', async () => {
    const page = await pages.open({
      ask: answering({
        answer: `${HOSTILE} [EntgFG-3] ${HOSTILE}`,
        conflicts: [{ text: `⚠ ${HOSTILE}`, source_ids: [] }],
        clarification_question: `${HOSTILE}?`,
        planned: true,
        planned_queries: [HOSTILE],
        model: HOSTILE,
        sources: [
          {
            id: 'EntgFG-3',
            title: HOSTILE,
            section: HOSTILE,
            stand: HOSTILE,
            dated: true,
            work: HOSTILE,
            url: 'javascript:alert(1)',
            path: HOSTILE,
            page: null,
            quotes: [],
            text_hash: HOSTILE,
          },
        ],
      }),
    });
    await ask(page, HOSTILE);
    expect(await page.textContent('.prose')).toContain(HOSTILE);
    expect(await page.textContent('.asked')).toBe(HOSTILE);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(pages.complaints).toEqual([]);
  });

  test('rates with feedback and comments, where the answer is on record', async () => {
    const rated: unknown[] = [];
    const page = await pages.open({
      rate: ({ request_id, ...rest }) => {
        rated.push(rest);
        return { api_version: 'v1', request_id, rating: rest.rating, updated: rated.length > 1 };
      },
    });
    await ask(page);
    await page.click('.rating:has-text("Nein")');
    await page.getByText('Danke, die Bewertung ist gespeichert.').waitFor();
    expect(await page.getAttribute('.rating:has-text("Nein")', 'aria-pressed')).toBe('true');
    await page.fill('#feedback', 'Es fehlt etwas');
    await page.click('text=Rückmeldung senden');
    await page.getByText('Danke, die Rückmeldung ist gespeichert.').waitFor();
    await page.click('.rating:has-text("Ja")');
    await page.getByText('Die Bewertung wurde geändert.').waitFor();
    expect(rated).toEqual([
      { rating: 'down' },
      { rating: 'down', feedback: 'Es fehlt etwas' },
      { rating: 'up', feedback: 'Es fehlt etwas' },
    ]);

    await page.click('.feedback summary');
    for (const n of [1, 2]) {
      await page.fill('#comment', `${n}. ${HOSTILE}`);
      await page.click('text=Kommentar speichern');
      await page.getByText(`Kommentar Nr. ${n} ist gespeichert.`).waitFor();
    }
    expect(await page.locator('.comments li').allTextContents()).toEqual([`1. ${HOSTILE}`, `2. ${HOSTILE}`]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('offers no rating where the answer is not on record', async () => {
    const page = await pages.open({ ask: answering({ ratings_enabled: false }) });
    await ask(page);
    expect(await page.locator('.feedback').count()).toBe(0);
    expect(await page.locator('#result .notice.warning').count()).toBe(0);
  });

  test('says where the answer could not be recorded', async () => {
    const answer = answering({ ratings_enabled: false });
    const page = await pages.open({
      ask: async (request, id) => ({ ...(await answer(request, id)), not_recorded: true }),
    });
    await ask(page);
    expect(await page.textContent('#result .notice.warning')).toContain('nicht aufgezeichnet');
  });

  test('asks for a key, keeps it in the tab alone, and stores nothing else', async () => {
    const page = await pages.open({}, { settings: { apiKeys: ['the-service-key'] } });
    expect(await page.content()).not.toContain('the-service-key');
    await ask(page);
    expect(await page.textContent('.error')).toContain('Ein gültiger Schlüssel fehlt');
    expect(await page.evaluate('document.activeElement.id')).toBe('key');
    await page.fill('#key', 'the-service-key');
    await page.click('#submit');
    await page.waitForSelector('.answer');
    expect(await page.evaluate('({ ...sessionStorage })')).toEqual({ 'beleg.key': 'the-service-key' });
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);

    await page.reload();
    expect(await page.inputValue('#key')).toBe('the-service-key');
    expect(await page.inputValue('#question')).toBe('');
    await page.click('#more summary');
    await page.fill('#key', '');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('shows an error with title, request id and when to try again', async () => {
    let busy = true;
    const page = await pages.open({
      ask: ({ question, request_id }) => {
        if (busy) throw new BelegError('OVERLOADED', { retryAfter: 1, detail: HOSTILE });
        return answerTo(question, request_id);
      },
    });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await ask(page);
    const box = page.locator('.error');
    expect(await box.locator('h2').textContent()).toBe('Der Dienst ist ausgelastet');
    expect(await box.locator('code').textContent()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await box.locator('button').isDisabled()).toBe(true);
    busy = false;
    await page.clock.runFor(1_000);
    await box.locator('button:enabled').click();
    await page.waitForSelector('.answer');
  });

  test('says when the service is not ready, degraded, or gone', async () => {
    const page = await pages.open({ auditHealth: () => ({ enabled: true, ready: false, checkpoint: null }) });
    expect(await page.textContent('#status-text')).toBe('Bereit, Protokoll gestört');
    await pages.app!.close();
    await ask(page);
    expect(await page.textContent('.error')).toContain('Der Dienst ist nicht zu erreichen.');
    await page.getByText('Nicht erreichbar').waitFor();
  });

  test('works with the keyboard alone', async () => {
    const page = await pages.open();
    const next = async () => {
      await page.keyboard.press('Tab');
      return focused(page);
    };
    const order = [await next(), await next(), await next(), await next(), await next()];
    expect(order).toEqual(['Zur Frage springen', 'Bereit', 'question', 'submit', 'Mehr']);
    await page.focus('#question');
    await page.keyboard.type('Eine Frage');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('in zwei Zeilen?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.answer');
    expect(await page.textContent('.asked')).toBe('Eine Frage\nin zwei Zeilen?');
    expect(await page.evaluate('document.activeElement.className')).toBe('answer');
    expect(await next()).toBe('[1]');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('passage');
    expect(await next()).toBe('Original öffnen');
    expect(await next()).toBe('Zurück zur Antwort');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('[1]');
  });

  test.each(['light', 'dark'] as const)('fits a phone, also with long words (%s)', async (colorScheme) => {
    const long = 'Donaudampfschifffahrt'.repeat(12);
    const id = 'x'.repeat(64);
    const page = await pages.open(
      {
        ask: answering({
          answer: `${long} [${id}]`,
          conflicts: [{ text: `⚠ ${long}`, source_ids: [] }],
          clarification_question: `${long}?`,
          sources: [
            {
              id,
              title: long,
              section: long,
              stand: '2022-03',
              dated: true,
              work: long,
              url: null,
              path: null,
              page: null,
              quotes: [],
              text_hash: null,
            },
          ],
        }),
      },
      { viewport: { width: 360, height: 740 }, colorScheme },
    );
    expect(await overflow(page)).toBe(0);
    await page.click('#more summary');
    await ask(page, long);
    await page.click('.details summary');
    await page.click('#status summary');
    expect(await overflow(page)).toBe(0);
  });

  test('speaks English to an English browser', async () => {
    const page = await pages.open({}, { locale: 'en-GB' });
    expect(await page.textContent('#submit')).toBe('Ask');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await ask(page);
    expect(await page.textContent('.sources')).toContain('As of March 2022');
  });

  test('the API page loads under its policy', async () => {
    const page = await pages.open();
    await page.goto(`${pages.url}/docs`);
    await page.getByText('/v1/ask').first().waitFor();
    expect(pages.complaints).toEqual([]);
  });
});
