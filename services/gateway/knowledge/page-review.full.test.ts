import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Application } from '../../composition/running.ts';
import { Workspace } from '../../../testing/processes/application.suite.ts';
import { STARTER_BASE } from '../../knowledge/settings.ts';
import { REVIEWED } from './fake-replies.suite.ts';
import { answerTo, HEALTHY_KNOWLEDGE, type Script } from './fake-services.suite.ts';
import { browserIsThere, focused } from '../browser.suite.ts';
import { HOSTILE, overflow, usePages, type Opening } from './page.suite.ts';

const REVIEWING = { knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, review_mode: true }) };

describe.skipIf(!browserIsThere)('the review form in a browser', () => {
  const pages = usePages();

  async function open(script: Partial<Script> = {}, opening: Opening = {}): Promise<Page> {
    const page = await pages.open({ ...REVIEWING, ...script }, opening);
    await page.click('#mode label:has-text("Prüfen")');
    return page;
  }

  /** Opens the page with a service that answers with `differences` and keeps the requests. */
  async function openSending(differences: Partial<AskResponse> = REVIEWED) {
    const sent: unknown[] = [];
    const page = await open({
      ask: ({ question, top_k, mode, context, request_id }) => {
        sent.push({ question, top_k, mode, context });
        return answerTo(question, request_id, differences);
      },
    });
    return { page, sent };
  }

  test('is not there where the service does not review', async () => {
    const page = await pages.open();
    expect(await page.locator('#mode, #review').filter({ visible: true }).count()).toBe(0);
  });

  test('is there where it does, and goes when it no longer does', async () => {
    let review_mode = true;
    const page = await open({
      knowledgeHealth: () => ({ ...HEALTHY_KNOWLEDGE, review_mode }),
      ask: () => {
        throw new BelegError('REVIEW_MODE_DISABLED');
      },
    });
    expect(await page.locator('.privacy').textContent()).toContain('Keine Namen, Personalnummern');
    expect(await page.textContent('#submit')).toBe('Prüfen');
    await page.click('#mode label:has-text("Fragen")');
    expect(await page.isVisible('#review')).toBe(false);
    expect(await page.textContent('#submit')).toBe('Fragen');
    await page.click('#mode label:has-text("Prüfen")');
    await page.click('[data-sample=right]');
    // Set only now, because the page polls the mode and would hide the form for facts.
    review_mode = false;
    await submit(page);
    expect(await page.textContent('.error h2')).toBe('Der Prüfmodus ist ausgeschaltet');
    await page.locator('#mode').waitFor({ state: 'hidden' });
    expect(await page.isVisible('#review')).toBe(false);
  });

  test('sends what was filled in, and nothing for what was not', async () => {
    const { page, sent } = await openSending();
    await page.fill('#question', ' Stimmt der Lohn? ');
    await submit(page);
    await fillRow(page, 'facts', 1, 'stundenlohn', '9,82 €', 'März 2022');
    await page.click('text=Angabe hinzufügen');
    await page.click('text=Angabe hinzufügen');
    await fillRow(page, 'facts', 3, 'tage', ' 20 ');
    await page.fill('#computation-label', 'Bruttolohn');
    await page.fill('#computation-result', '1.600,00 €');
    await fillRow(page, 'components', 1, 'grundlohn', '1.600,00 €');
    await submit(page);
    const asked = { question: 'Stimmt der Lohn?', top_k: 8, mode: 'review' };
    expect(sent).toEqual([
      asked,
      {
        ...asked,
        context: {
          facts: [
            { key: 'stundenlohn', value: '9,82 €', note: 'März 2022' },
            { key: 'tage', value: '20' },
          ],
          computation: {
            label: 'Bruttolohn',
            result: '1.600,00 €',
            components: [{ key: 'grundlohn', value: '1.600,00 €' }],
          },
        },
      },
    ]);
    await page.click('text=Leeren');
    expect(await valuesOf(page, '#ask input:not([type])')).toEqual(['', '', '', '', '', '', '', '']);
  });

  test('shows a deviation in colour and words, its checks with their sources, and no section twice', async () => {
    const { page } = await openSending({
      ...REVIEWED,
      answer: REVIEWED.answer.replace(
        /^\d+ von \d+ Angaben geprüft\.$/mu,
        '2 von 2 prüfbaren Angaben geprüft; 3 beschreiben den Fall.',
      ),
      plausibility: {
        ...REVIEWED.plausibility,
        checks: [
          ...REVIEWED.plausibility.checks,
          { status: 'ok', aspect: HOSTILE, detail: HOSTILE, source_ids: [] },
        ],
      },
    });
    await page.click('[data-sample=wrong]');
    await submit(page);
    expect(await page.textContent('.verdict .banner')).toContain('Nicht plausibel – 1 von 3');
    // The same coverage as in the answer: a fact that only describes the case is no gap.
    expect(await page.textContent('.verdict .coverage')).toBe(
      '2 von 2 prüfbaren Angaben geprüft; 3 beschreiben den Fall.',
    );
    expect(await page.locator('.checks li').allTextContents()).toEqual([
      expect.stringMatching(/^⚠Abweichungstundenlohn.*\[1\]$/),
      expect.stringMatching(/^✓PasstRechnung/),
      expect.stringContaining(HOSTILE),
    ]);
    expect(await page.locator('.answer').textContent()).not.toContain('Plausibilitätsprüfung:');
    expect((await page.textContent('.answer'))!.split('Angegeben: 9,60 €')).toHaveLength(2);
    expect(await page.textContent('.prose')).toContain('9,82 Euro brutto');
    const colours = (await page.evaluate(
      `[...document.querySelectorAll('.banner')].map((banner) => getComputedStyle(banner).backgroundColor)`,
    )) as string[];
    expect(new Set(colours).size).toBe(2);
    await page.click('.checks .citation');
    await page.locator('#passage code:text("ML-HOEHE-2022")').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(pages.complaints).toEqual([]);
  });

  test.each<[string, Partial<AskResponse>, string, string[]]>([
    [
      'one that fits, with nothing from the base',
      {
        ...REVIEWED,
        answer: 'Plausibilitätsprüfung:\n✓ Rechnung (Lohn): 1 € = 1 €.',
        plausibility: {
          verdict: 'plausible',
          checks: [{ status: 'ok', aspect: 'Rechnung (Lohn)', detail: '1 € = 1 €.', source_ids: [] }],
        },
      },
      'Plausibel – Alle prüfbaren Angaben stimmen.',
      [],
    ],
    [
      'one that cannot be judged',
      {
        ...REVIEWED,
        answer:
          'Es gilt etwas. [ML-HOEHE-2022]\n\nRückfrage: Welches Jahr?\n\nPlausibilitätsprüfung:\nKeine Angabe konnte anhand der Fundstellen sicher geprüft werden.',
        clarification_question: 'Welches Jahr?',
        plausibility: { verdict: 'not_checkable', checks: [] },
      },
      'Nicht prüfbar',
      ['Es gilt etwas. [1]'],
    ],
  ])('shows %s', async (_, differences, words, prose) => {
    const { page } = await openSending(differences);
    await page.click('[data-sample=right]');
    await submit(page);
    expect(await page.textContent('.verdict .banner')).toContain(words);
    expect(await page.locator('.prose p').allTextContents()).toEqual(prose);
    expect(await page.textContent('.answer')).not.toContain('Plausibilitätsprüfung:');
  });

  test('puts a warning before the verdict', async () => {
    const { page } = await openSending({ ...REVIEWED, status: 'uncertain', verified: false });
    await page.click('[data-sample=wrong]');
    await submit(page);
    expect(await page.locator('.answer .banner strong').allTextContents()).toEqual([
      'Nicht gesichert',
      'Nicht plausibel',
    ]);
  });

  test('marks what the contract would refuse at its field, and sends nothing', async () => {
    const { page, sent } = await openSending();
    await page.fill('#question', 'Stimmt das?');
    await fillRow(page, 'facts', 1, 'Stunden Löhne', 'x'.repeat(201), 'x'.repeat(501));
    await page.fill('#computation-basis', 'Tarif');
    await fillRow(page, 'components', 1, '', '1');
    await page.click('#submit');
    expect(await faultsOf(page)).toEqual([
      ['Bezeichnung, Zeile 1', 'Nur a–z, 0–9 und _ . -, etwa: stunden_loehne'],
      ['Wert, Zeile 1', 'Höchstens 200 Zeichen.'],
      ['Hinweis (freiwillig), Zeile 1', 'Höchstens 500 Zeichen.'],
      ['label', 'Bitte ausfüllen.'],
      ['result', 'Bitte ausfüllen.'],
      ['Bezeichnung, Zeile 1', 'Bitte ausfüllen.'],
    ]);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Bezeichnung, Zeile 1',
    );
    await page.keyboard.type('_');
    expect(await faultsOf(page)).toHaveLength(5);
    expect(sent).toEqual([]);
  });

  test('shows what the service finds wrong at its field', async () => {
    const errors = [
      { path: 'context.facts.1.value', message: 'Too small: expected string to have >=1 characters' },
      { path: 'context.computation.components.0.key', message: 'Only a-z, 0-9, "_", "." and "-"' },
      { path: 'context.computation.result', message: 'Said in other words' },
    ];
    let all = errors;
    const page = await open({
      ask: () => {
        throw new BelegError('INVALID_REQUEST', { errors: all });
      },
    });
    await page.click('[data-sample=right]');
    await page.click('text=Angabe hinzufügen');
    await page.click('text=Angabe hinzufügen');
    await fillRow(page, 'facts', 3, 'tage', '20');
    await page.click('#submit');
    await page.getByText('Bitte die markierten Felder berichtigen.').waitFor();
    expect(await faultsOf(page)).toEqual([
      // The second fact that was sent is in the third row, because an empty row is between them.
      ['Wert, Zeile 3', 'Bitte ausfüllen.'],
      ['result', 'Said in other words'],
      ['Bezeichnung, Zeile 1', 'Nur a–z, 0–9 und _ . -'],
    ]);
    expect(await page.locator('.error').count()).toBe(0);
    all = [...errors, { path: 'context.tenant', message: 'Unrecognized key' }];
    await page.click('#submit');
    await page.getByText('Die Anfrage ist nicht gültig').waitFor();
    expect(await faultsOf(page)).toHaveLength(3);
  });

  test('takes columns of a spreadsheet, as far as there is room', async () => {
    const page = await open();
    const first = row(page, 'components', 1).locator('input');
    await first.first().focus();
    expect(await paste(page, 'nur ein Wort')).toBe(false);
    expect(
      await paste(page, 'Grundlohn (März)\t1.571,20 €\tzu viel\r\n\r\n"Zulage\n""Nacht"""\t28,80 €\r\n'),
    ).toBe(true);
    expect(await valuesOf(page, '#components input')).toEqual([
      'grundlohn_maerz',
      '1.571,20 €',
      'zulage_nacht',
      '28,80 €',
    ]);
    await page.getByText('2 Zeilen eingefügt.').waitFor();
    await first.nth(1).focus();
    await paste(page, '1\n2\n3');
    expect(await valuesOf(page, '#components [name=value]')).toEqual(['1', '2', '3']);

    await row(page, 'facts', 1).locator('input').first().focus();
    await paste(page, Array.from({ length: 43 }, (_, i) => `k${i}\t${i}\tn${i}`).join('\n'));
    await page.getByText('40 Zeilen eingefügt, für 3 weitere ist kein Platz.').waitFor();
    expect(await page.locator('#facts li').count()).toBe(40);
    expect(await page.isDisabled('#facts .add')).toBe(true);
    await row(page, 'facts', 40).locator('.remove').click();
    expect(await page.isEnabled('#facts .add')).toBe(true);
  });

  test('can be used with the keyboard alone', async () => {
    const { sent, ...rest } = await openSending();
    const { page } = rest;
    await page.focus('[name=mode][value=review]');
    await page.keyboard.press('ArrowLeft');
    expect(await page.isVisible('#review')).toBe(false);
    await page.keyboard.press('ArrowRight');
    expect(await page.isVisible('#review')).toBe(true);
    await row(page, 'facts', 1).locator('input').first().focus();
    // An empty row adds no further row.
    await page.keyboard.press('Enter');
    expect(await page.locator('#facts li').count()).toBe(1);
    await page.keyboard.type('tage');
    await page.keyboard.press('Tab');
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    expect(await labelled(page)).toBe('Bezeichnung, Zeile 2');
    await page.keyboard.type('stunden');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await labelled(page)).toBe('Zeile 2 entfernen');
    await page.keyboard.press('Enter');
    expect(await labelled(page)).toBe('Bezeichnung, Zeile 1');
    await page.focus('#question');
    await page.keyboard.type('Stimmt das?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.answer');
    expect(sent).toMatchObject([{ context: { facts: [{ key: 'tage', value: '20' }] } }]);
    expect(await page.evaluate('document.activeElement.className')).toBe('answer');
    expect(await focused(page)).toContain('Nicht plausibel');
  });

  test.each(['light', 'dark'] as const)(
    'fits 320 pixels, and names all that can be used (%s)',
    async (colorScheme) => {
      const page = await open({}, { viewport: { width: 320, height: 640 }, colorScheme });
      await page.click('[data-sample=wrong]');
      await fillRow(page, 'facts', 1, 'Donaudampfschifffahrtsgesellschaft', 'x'.repeat(201));
      await page.click('#submit');
      expect(await page.locator('.fault').count()).toBe(2);
      expect(await overflow(page)).toBe(0);
      expect(await page.evaluate(NAMELESS)).toEqual([]);
    },
  );
});

describe.skipIf(!browserIsThere)('the samples of the review form, over the starter base', () => {
  const pages = usePages();
  let workspace: Workspace;
  let application: Application;

  beforeAll(async () => {
    workspace = await Workspace.create();
    const settings = { PV_REVIEW_MODE: 'true', PV_KB_PATH: STARTER_BASE, PV_AUDIT_ENABLED: 'false' };
    ({ application } = await workspace.start(settings));
  });
  afterAll(async () => {
    await application.close();
    await workspace.remove();
  });

  test('and an answer says as of when the law of the base stands', async () => {
    const response = await fetch(`${application.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?' }),
    });
    const { grounding, answer } = (await response.json()) as AskResponse;
    expect(grounding.as_of).toBe('2022-03');
    expect(answer).toContain('März 2022');
  });

  test.each(['de-DE', 'en-GB'])('are right and wrong (%s)', async (locale) => {
    const page = await pages.visit(application.url!, { locale });
    await page.click('#mode label:last-child');
    for (const [sample, statuses] of [
      ['right', ['ok', 'ok']],
      ['wrong', ['warn', 'warn']],
    ] as const) {
      await page.click(`[data-sample=${sample}]`);
      await submit(page);
      expect(await page.getAttribute('.answer', 'data-state')).toBe('verified');
      const checks = `[...document.querySelectorAll('.checks li')].map(({ dataset }) => dataset.status)`;
      expect(await page.evaluate(checks)).toEqual(statuses);
    }
    expect(pages.complaints).toEqual([]);
  });
});

const row = (page: Page, list: 'facts' | 'components', n: number) => page.locator(`#${list} li`).nth(n - 1);

async function fillRow(page: Page, list: 'facts' | 'components', n: number, ...cells: string[]) {
  const fields = row(page, list, n).locator('input');
  for (const [i, cell] of cells.entries()) await fields.nth(i).fill(cell);
}

async function submit(page: Page): Promise<void> {
  await page.click('#submit');
  await page.waitForSelector('#result > *');
}

const valuesOf = (page: Page, selector: string) =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].map(({ value }) => value)`);

const labelled = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

/** Pastes at the focus; returns whether the page handled it. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
    return event.defaultPrevented;
  })()`);

/** The name of each faulty field, with its message. */
const faultsOf = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('[aria-invalid=true]')].map((field) => [
      field.getAttribute('aria-label') ?? field.name,
      document.getElementById(field.getAttribute('aria-errormessage')).textContent,
    ])`,
  );

/** Controls without a name, and ids that are duplicated or referenced but missing. */
const NAMELESS = `(() => {
  const controls = [...document.querySelectorAll('input, textarea, button')];
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  const meant = ['aria-describedby', 'aria-errormessage', 'aria-labelledby'].flatMap((name) =>
    [...document.querySelectorAll('[' + name + ']')].flatMap((node) => node.getAttribute(name).split(' ')),
  );
  return [
    ...controls
      .filter((control) => !control.ariaLabel && !control.labels?.length && !control.textContent.trim())
      .map((control) => control.outerHTML),
    ...ids.filter((id, i) => ids.indexOf(id) !== i),
    ...meant.filter((id) => !ids.includes(id)),
  ];
})()`;
