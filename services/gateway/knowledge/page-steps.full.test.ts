import { describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import type { AskProgress } from '../../../events/messages/knowledge.ts';
import { ANSWERED } from './fake-replies.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { answering, ask, HOSTILE, QUESTION, usePages } from './page.suite.ts';

const PARTS = ['Wie hoch ist der Mindestlohn?', HOSTILE];
const QUERIES = [PARTS.join(' '), ...PARTS];
const PLANNED: AskProgress = { stage: 'planned', queries: QUERIES };
const FOUND: AskProgress = { stage: 'retrieved', passages: 8, covered: true };
const DRAFTED: AskProgress = { stage: 'drafted', attempt: 0 };
const FAILED: AskProgress = { stage: 'verified', attempt: 0, verified: false, failures: 2 };
const VERIFIED: AskProgress = { stage: 'verified', attempt: 1, verified: true, failures: 0 };

describe.skipIf(!browserIsThere)('the steps of an answer, in a browser', () => {
  const pages = usePages();

  /** A page that has sent a question, and its ask. */
  async function asking() {
    const page = await pages.openHeld();
    await page.fill('#question', QUESTION);
    const held = await pages.held(() => page.click('#submit'));
    const done = page.locator('#steps > li:not([data-state=doing])');
    const doing = page.locator('#steps > li[data-state=doing]');
    return { page, held, done, doing, heard: page.locator('#progress') };
  }

  test('are shown as they happen, and heard where they matter', async () => {
    const { page, held, done, doing, heard } = await asking();
    expect(await doing.textContent()).toBe('Die Wissensbasis wird durchsucht …');
    expect(await heard.getAttribute('role')).toBe('status');

    held.tell(PLANNED);
    await page.getByText('Frage gelesen, 3 Suchen geplant').waitFor();
    expect(await done.locator('ul li').allTextContents()).toEqual(QUERIES);
    expect(await heard.textContent()).toBe('Die Wissensbasis wird durchsucht …');

    held.tell(FOUND);
    await page.locator('#steps').getByText('8 Abschnitte gefunden').waitFor();
    expect(await doing.textContent()).toBe('Die Antwort wird formuliert …');
    expect(await heard.textContent()).toBe('8 Abschnitte gefunden. Die Antwort wird formuliert …');

    held.tell(DRAFTED);
    await page.locator('#steps').getByText('Entwurf liegt vor').waitFor();
    expect(await done.last().textContent()).toBe('Entwurf liegt vor');
    expect(await heard.textContent()).toContain('8 Abschnitte');

    held.tell(FAILED);
    await page.locator('#steps > [data-state=failed]').waitFor();
    expect(await heard.textContent()).toBe(
      'Geprüft: 2 Aussagen sind nicht belegt. Neuer Versuch, 2. Entwurf …',
    );

    held.tell({ ...DRAFTED, attempt: 1 }, VERIFIED);
    await page.getByText('Geprüft: jede Aussage ist belegt').waitFor();
    expect(await done.count()).toBe(6);
    held.answer();
    await page.waitForSelector('.answer');
    expect(await page.locator('#steps').isVisible()).toBe(false);
    expect(await heard.textContent()).toBe('');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(pages.complaints).toEqual([]);
  });

  test('of a question that nothing covers', async () => {
    const { page, held } = await asking();
    held.tell({ stage: 'retrieved', passages: 0, covered: false });
    await page.getByText('Keine Quelle dazu gefunden').waitFor();
  });

  test('can be cancelled after any of them, by button or keyboard', async () => {
    const { page, held: first, done } = await asking();
    let held = first;
    for (const n of [0, 1, 2, 3]) {
      held.tell(...[PLANNED, FOUND, DRAFTED].slice(0, n));
      await expect.poll(() => done.count()).toBe(n);
      await (n % 2 === 0 ? page.click('#cancel') : page.keyboard.press('Escape'));
      await page.getByText('Abgebrochen.').waitFor();
      expect(await page.isEnabled('#submit')).toBe(true);
      expect(await page.locator('#steps, #cancel').filter({ visible: true }).count()).toBe(0);
      expect(await focused(page)).toBe('submit');
      const next = await pages.held(() => page.click('#submit'));
      held.answer({ answer: 'Zu spät. [EntgFG-3]' });
      held = next;
    }
    held.answer({ answer: 'Die letzte Antwort. [EntgFG-3]' });
    await page.getByText('Die letzte Antwort.').waitFor();
  });

  test('end in the error where one comes on the way', async () => {
    const { page, held } = await asking();
    held.tell(PLANNED);
    held.fail(new BelegError('MODEL_UNAVAILABLE'));
    await page.getByText('Das Sprachmodell antwortet nicht').waitFor();
    expect(await page.locator('#steps').isVisible()).toBe(false);
    const again = await pages.held(() => page.click('text=Erneut versuchen'));
    again.answer();
    await page.waitForSelector('.answer');
  });

  test.each<[string, string, string]>([
    [
      'all at once, with lines of a proxy',
      'text/event-stream; charset=utf-8',
      ': still here\r\n\r\nevent: planned\r\ndata: {"queries":["x"]}\r\n\r\nevent: later\r\ndata: {}\r\n\r\nevent: answer\r\ndata: ANSWER\r\n\r\n',
    ],
    ['as JSON after all', 'application/json', 'ANSWER'],
  ])('may come %s', async (_, contentType, body) => {
    const page = await pages.open();
    await page.route('**/v1/ask', async (route) => {
      expect(route.request().headers()['accept']).toContain('text/event-stream');
      const answer = await (await route.fetch({ headers: { 'content-type': 'application/json' } })).text();
      await route.fulfill({ contentType, body: body.replace('ANSWER', () => answer) });
    });
    await ask(page);
    expect(await page.textContent('.banner')).toContain('Belegt');
  });

  test('that break off before the answer are no answer', async () => {
    const page = await pages.open();
    await page.route('**/v1/ask', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'event: answer\ndata: {"status":"answered"' }),
    );
    await ask(page);
    expect(await page.textContent('.error h2')).toBe('Die Antwort wurde nicht vollständig übertragen');
  });

  test('leave the plan with the answer: its searches, a paragraph each part, and what is not covered', async () => {
    // The page shows the service's own wording.
    const uncovered = 'Ohne Quelle bleibt: „Wer wohnt auf dem Mars“ und „Was kostet das“.';
    const page = await pages.open({
      ask: answering({
        answer: `Das eine gilt. [EntgFG-3]\n\nDas andere auch. [EntgFG-3]\n\n${uncovered} Rechtsstand der Wissensbasis: März 2022.`,
        grounding: { ...ANSWERED.grounding, uncovered },
        answer_type: 'overview',
        planned: true,
        planned_queries: PARTS,
      }),
    });
    await ask(page);
    expect(await page.locator('.prose p').allTextContents()).toEqual([
      'Das eine gilt. [1]',
      'Das andere auch. [1]',
      'Rechtsstand der Wissensbasis: März 2022.',
    ]);
    expect(await page.textContent('.uncovered p')).toBe(uncovered);
    const searches = page.locator('.plan li');
    expect(await searches.first().isVisible()).toBe(false);
    await page.click('.plan summary');
    expect(await searches.allTextContents()).toEqual(PARTS);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.plan li')).listStyleType`)).toBe(
      'decimal',
    );
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });
});
