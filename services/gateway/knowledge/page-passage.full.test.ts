import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import type { SourceReference } from '../../../events/messages/knowledge.ts';
import { ANSWERED, REFUSED, SOURCE_TEXT } from './fake-replies.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { answering, ask, HOSTILE, overflow, usePages } from './page.suite.ts';
import { answerTo, HEALTHY_KNOWLEDGE, type Script } from './fake-services.suite.ts';

const TEXT = `Die Regel gilt. Die Ausnahme auch. ${HOSTILE}\n\nDas wird nicht zitiert.`;
const source = (id: string, differences: Partial<SourceReference> = {}): SourceReference => ({
  ...ANSWERED.sources[0]!,
  id,
  title: `Titel von ${id}`,
  quotes: [
    { start: 0, end: 15, decisive: true },
    { start: 16, end: 34, decisive: false },
  ],
  ...differences,
});
const TWO_IDS = { answer: 'Die Regel gilt. [A] Die Ausnahme auch. [B]', citations: ['A', 'B'] };
const TWO = answering({ ...TWO_IDS, sources: [source('A'), source('B')] });
const ASKED: Partial<Script> = { ask: TWO, source: ({ id }) => ({ ...SOURCE_TEXT, id, text: TEXT }) };
const titleIn = (page: Page) => page.locator('#passage h2');
const PHONE = { viewport: { width: 390, height: 844 } };

describe.skipIf(!browserIsThere)('the source beside the answer, in a browser', () => {
  const pages = usePages();

  test('is the first one, whole, with what the answer quotes marked', async () => {
    const page = await pages.open(ASKED);
    await ask(page);
    await titleIn(page).getByText('Titel von A').waitFor();
    expect(await page.textContent('#passage .text')).toBe(TEXT);
    expect(await page.locator('#passage mark').allTextContents()).toEqual([
      'Die Regel gilt.',
      'Die Ausnahme auch.',
    ]);
    expect(await page.locator('#passage mark strong').allTextContents()).toEqual(['Die Regel gilt.']);
    expect(await page.textContent('#passage .source-place')).toBe('EntgFG · § 3 Abs. 1 · Stand März 2022 A');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const [answer, passage] = await Promise.all(
      ['.answer', '#passage'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(passage!.x).toBeGreaterThan(answer!.x + answer!.width);
    expect(passage!.y).toBeCloseTo(answer!.y, -1);
    expect(await overflow(page)).toBe(0);
    expect(pages.complaints).toEqual([]);
  });

  test('is one of several, each of which the answer tells below its headings', async () => {
    const answer =
      'Haus › Küche\nEine Regel. [A]\n\nHaus › Bad\nEine andere. [B]\n\nStand der Quelle: Mai 2023.';
    const page = await pages.open({
      ...ASKED,
      ask: answering({ ...TWO_IDS, answer, sources: [source('A'), source('B')] }),
    });
    await ask(page);
    expect(await page.locator('.prose h3').allTextContents()).toEqual(['Haus › Küche', 'Haus › Bad']);
    expect(await page.locator('.prose .uncited').allTextContents()).toEqual(['Stand der Quelle: Mai 2023.']);
  });

  test('is that of the citation which was focused or clicked last', async () => {
    const page = await pages.open(ASKED);
    await ask(page);
    await page.focus('.citation >> nth=1');
    await titleIn(page).getByText('Titel von B').waitFor();
    expect(await page.locator('[aria-current=true]').allTextContents()).toEqual(['[2]', 'Titel von B']);
    await page.click('.sources a >> nth=0');
    await titleIn(page).getByText('Titel von A').waitFor();
    expect(await focused(page)).toBe('Titel von A');
  });

  test('stands below the answer on a phone once a citation is touched, and leads back to it', async () => {
    const page = await pages.open(ASKED, { ...PHONE, hasTouch: true });
    await ask(page);
    expect(await page.isVisible('#passage')).toBe(false);
    await page.tap('.citation >> nth=1');
    await titleIn(page).getByText('Titel von B').waitFor();
    await expect.poll(() => focused(page)).toBe('passage');
    const place = (selector: string) => page.locator(selector).boundingBox();
    const [answer, passage] = [(await place('.answer'))!, (await place('#passage'))!];
    expect(passage.y).toBeGreaterThan(answer.y + answer.height);
    expect(passage.y).toBeLessThan(PHONE.viewport.height);
    expect(await overflow(page)).toBe(0);
    await page.tap('text=Zurück zur Antwort');
    // The browser sends the click only after the touch has ended.
    await expect.poll(() => focused(page)).toBe('[2]');
  });

  test('of a document says of which, and on which page, and leads there', async () => {
    const passage = { path: 'personal/urlaub.pdf', page: 3, dated: false, work: 'Handbuch' };
    const url = 'https://example.org/urlaub.pdf#page=3';
    const sources = [
      source('A', { ...passage, section: 'Handbuch › Urlaub', url }),
      source('B', { ...passage, section: '', page: null, url: null }),
    ];
    const page = await pages.open({ ...ASKED, ask: answering({ ...TWO_IDS, sources }) });
    await ask(page);
    expect(await page.locator('.sources .source-place').allTextContents()).toEqual([
      'Handbuch › Urlaub · personal/urlaub.pdf, Seite 3',
      'Handbuch · personal/urlaub.pdf',
    ]);
    expect(await page.locator('.sources .original').count()).toBe(1);
    expect(await page.getAttribute('.sources .original', 'href')).toBe(url);
    await titleIn(page).getByText('Titel von A').waitFor();
    expect(await page.textContent('#passage .source-place')).toBe(
      'Handbuch › Urlaub · personal/urlaub.pdf, Seite 3 A',
    );
    expect(pages.complaints).toEqual([]);
  });

  test('leads to its original on the web, in a tab of its own, and to nothing else', async () => {
    const sources = [
      source('A', { url: 'https://example.org/a' }),
      source('B', { url: 'javascript:alert(1)' }),
    ];
    const page = await pages.open({ ...ASKED, ask: answering({ ...TWO_IDS, sources }) });
    await ask(page);
    const link = page.getByRole('link', { name: 'Original öffnen' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://example.org/a');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await page.click('.sources a >> nth=1');
    await titleIn(page).getByText('Titel von B').waitFor();
    expect(await link.count()).toBe(0);
    expect(pages.complaints).toEqual([]);
  });

  test('has nothing marked where the text is another one by now', async () => {
    const page = await pages.open({
      ...ASKED,
      source: ({ id }) => ({ ...SOURCE_TEXT, id, text_hash: 'new' }),
    });
    await ask(page);
    await page.getByText('Der Text wurde seit dieser Antwort geändert.').waitFor();
    expect(await page.locator('#passage mark').count()).toBe(0);
  });

  test('says why it cannot be shown, and is asked for again', async () => {
    let there = false;
    const page = await pages.open({
      ...ASKED,
      source: ({ id }) => {
        if (!there) throw new BelegError('UNKNOWN_SOURCE');
        return { ...SOURCE_TEXT, id };
      },
    });
    await ask(page);
    await page.getByText('Diese Quelle gibt es in der Wissensbasis nicht').waitFor();
    there = true;
    await page.click('text=Erneut versuchen');
    await titleIn(page).getByText('Titel von A').waitFor();
  });
});

describe.skipIf(!browserIsThere)('what may be asked, in a browser', () => {
  const pages = usePages();

  async function openAsked(script: Partial<Script> = {}, asked: string[] = []) {
    const answer = script.ask ?? (({ question, request_id }) => answerTo(question, request_id));
    const page = await pages.open({
      ...script,
      ask: (request, id) => (asked.push(request.question), answer(request, id)),
    });
    return { page, asked };
  }

  test('stands there before anything was asked: what the base is about, and its questions', async () => {
    const base = { ...HEALTHY_KNOWLEDGE.base, questions: [HOSTILE, 'Wie viele Urlaubstage?'] };
    const { page, asked } = await openAsked({ knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, base }) });
    expect(await page.textContent('#start')).toMatch(
      /^Lohn und GehaltRechtsstand März 2022Zum Beispiel.*Urlaub$/s,
    );
    await page.click('#start button:has-text("Urlaubstage")');
    await page.waitForSelector('.answer');
    expect(asked).toEqual(['Wie viele Urlaubstage?']);
    expect(await page.inputValue('#question')).toBe('Wie viele Urlaubstage?');
    expect(await page.isVisible('#start')).toBe(false);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('is not there where the base says nothing of itself', async () => {
    const { page } = await openAsked({ knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, base: null }) });
    expect(await page.isVisible('#start')).toBe(false);
    expect(await page.getAttribute('#question', 'placeholder')).toBe('Was möchten Sie wissen?');
  });

  test.each([
    [
      'a question back has to choose from',
      {
        ...REFUSED,
        clarification_question: 'Worum geht es: „Frist für Arbeitnehmer“ oder „Frist für Arbeitgeber“?',
        grounding: {
          ...ANSWERED.grounding,
          suggestions: ['Frist für Arbeitnehmer', 'Frist für Arbeitgeber'],
        },
      },
      'RückfrageWorum geht es?',
      'Frist für Arbeitgeber',
    ],
    ['a refusal names instead', REFUSED, 'Am nächsten kommen', 'Gesetzlicher Mindestlohn 2022'],
  ])('is what %s', async (_, differences, words, title) => {
    const { page, asked } = await openAsked({ ask: answering(differences) });
    await ask(page, 'Frist');
    expect(await page.textContent('.answer .notice')).toContain(words);
    expect(await page.locator(`.suggestions button:text-is("${title}")`).count()).toBe(1);
    await page.click(`.suggestions button:text-is("${title}")`);
    await expect.poll(() => asked).toEqual(['Frist', title]);
    expect(await page.inputValue('#question')).toBe(title);
  });
});
