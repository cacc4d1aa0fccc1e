import { describe, expect, it } from 'vitest';
import { askedIn, questionInStory } from './pasted.ts';

const QUESTION = 'Wann verfällt der Resturlaub?';

describe('what is pasted with a question', () => {
  it.each([
    [
      `> Von: Chef\n> Gesendet: Montag, 14. März 2022 08:11\n> Betreff: AW: Geld\n> wir zahlen bald.\n\n${QUESTION}`,
    ],
    [
      `${QUESTION}\n\nVon: Chef\nGesendet: Montag, 14. März 2022\nAn: Jana\nBetreff: Geld\n\nWie viel gibt es 2019?`,
    ],
    [
      `${QUESTION}\n\nGesendet: Montag, 14. März 2022 um 08:11 Uhr\nVon: "Chef" <c@example.org>\nAn: Jana\nBetreff: Geld\n\nWir zahlen.`,
    ],
    [`${QUESTION}\n\n*From:* Ben\n*Sent:* Monday\n*Subject:* Pay\n\nWhen is pay due?`],
    [`${QUESTION}\n\nAm 14.03.2022 um 08:11 schrieb Chef <c@example.org>:\n> Wir zahlen.\n> Bald.`],
    [`${QUESTION}\n\nAm Mo., 14. März 2022 um 08:11 Uhr schrieb Chef\n<c@example.org>:\n\nWir zahlen.`],
    [`${QUESTION}\n\nChef schrieb am 14.03.2022 um 08:11:\n\nWir zahlen.`],
    [`${QUESTION}\n\nOn Mon, Mar 14, 2022 at 8:11 AM Ben <b@example.org> wrote:\n\n> We pay.`],
    [`${QUESTION}\n\n-----Ursprüngliche Nachricht-----\nVon: Chef\nGesendet: Montag\n\nWir zahlen.`],
    [`${QUESTION}\n\n-------- Weitergeleitete Nachricht --------\nBetreff: Geld\nVon: Chef\n\nWir zahlen.`],
    [
      `${QUESTION}\n\n________________________________\nVon: Chef\nGesendet: Montag\nBetreff: Geld\n\nWir zahlen.`,
    ],
    [`${QUESTION}\n\n-- \nJana Berg\nFirma GmbH, Urlaub bis 2023`],
  ])('asks nothing where a mail is quoted: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(QUESTION);
  });

  it.each([
    ['```json\n{"ts":"2022-03-08T09:41:00Z","msg":"leave.accrual: WAITING"}\n```'],
    ['{\n  "level": "warn",\n  "days": 0\n}'],
    [
      'Traceback (most recent call last):\n  File "leave.py", line 88, in <module>\n    run()\nValueError: period',
    ],
    ['2022-03-08 09:41:00,123 WARN leave - not met\n2022-03-08 09:41:01,004 INFO leave - done'],
    [
      'Exception in thread "main" java.lang.IllegalStateException: not met\n\tat org.hr.Leave.run(Leave.java:12)\nCaused by: java.io.IOException: x\n\t... 3 more',
    ],
    [
      '/app/leave.js:12\n    throw new Error("not met");\n    ^\n\nError: not met\n    at run (/app/leave.js:12:9)',
    ],
    ['panic: not met\n\ngoroutine 1 [running]:\n/app/main.go:12 +0x1d'],
    ['Beim Import kommt:\nERROR: leave_not_met (42)\nlevel=warn emp=4711 msg="not met"'],
    ['$ npm run leave\nPS C:\\hr> .\\leave.ps1'],
    ['[08:41:00] 10.0.0.7 - - "GET /leave HTTP/1.1" 500 12'],
  ])('asks nothing where programs have written it: %s', (output) => {
    expect(askedIn(`${output}\n${QUESTION}`, 'de')).toBe(QUESTION);
    expect(askedIn(`${QUESTION}\n\n${output}`, 'en')).toBe(QUESTION);
  });

  it.each([
    ['> Wann verfällt der Resturlaub?', QUESTION],
    [
      `Guten Tag,\n\n> ${QUESTION}\n\nDas wüsste ich auch gern. Außerdem: wie lang ist die Probezeit?`,
      `Guten Tag,\n\n${QUESTION}\n\n Außerdem: wie lang ist die Probezeit?`,
    ],
    [`Stimmt das?\n\n> Der Resturlaub verfällt im März.`, 'Stimmt das?\n\nDer Resturlaub verfällt im März.'],
    [`Von: Jana\nGesendet: Montag\nBetreff: Urlaub\n\nHallo,\n${QUESTION}`, `Hallo,\n${QUESTION}`],
    [`Bitte beantworten.\n\nAm 14.03.2022 schrieb Jana:\n> ${QUESTION}`, `Bitte beantworten.\n\n${QUESTION}`],
  ])('is read where nothing else asks: %s', (text, asked) => {
    expect(askedIn(text, 'de')).toBe(asked);
  });

  it.each([
    [`Ticket: 4711\nPriorität: hoch\nStatus: offen\n${QUESTION}`],
    [`Ticket: 123 / Priority: high / ${QUESTION}`],
    [`Ticket-Nr.: 4711\nBearbeiter: Herr Meier\nBetreff: Urlaub\nFrage: ${QUESTION}`],
    [`**Reporter:** jdoe\n**Due:** 2019-03-01\n\n${QUESTION}`],
    [`Ticket: HR-1 | Type: Question | Created: 2021-02-03\nDescription: ${QUESTION}`],
  ])('asks nothing where it is a field of a ticket: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(QUESTION);
  });

  it.each([
    [`Alter: 17\nWochenstunden: 20\n${QUESTION}`],
    [`Betreff: Resturlaub 2021\n${QUESTION}`],
    ['Ticket: 4711\nPriorität: hoch\nGilt das auch für Azubis?'],
    ['Status: Auszubildender\nTyp: Teilzeit\nWie viele Tage Urlaub stehen mir zu?'],
  ])('is read where it may say what is meant: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(text);
  });

  it.each([
    [`https://intranet.example.com/leave?id=2021&page=3 ${QUESTION}`],
    [`Siehe https://intranet.example.com/tickets/2023/17: ${QUESTION}`],
    [`www.example.de/urlaub/2019 - ${QUESTION}`],
    [`https://wiki.example.com:8443/urlaub/2021 ${QUESTION}`],
    [`https://wiki.example.com/Hilfe:Urlaub ${QUESTION}`],
    [`Aus dem Wiki <https://wiki.example.com/2020>\n${QUESTION}`],
    [`${QUESTION} https://www.example.com/2019/bgb.html`],
  ])('asks nothing where it is an address: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(QUESTION);
  });

  it.each([
    [
      `[10:32, 3.3.2022] Sabine: ${QUESTION}\n[10:33, 3.3.2022] Ich: frag mal das Tool`,
      `${QUESTION}\nfrag mal das Tool`,
    ],
    [
      '[10:32, 3.3.2022] Ben: Moin, kriegt der Neue eig auch Urlaub?',
      'Moin, kriegt der Neue eig auch Urlaub?',
    ],
    [`03.03.22, 10:32 - Sabine Berg: ${QUESTION}`, QUESTION],
    [
      `[3/3/22, 10:32:05 AM] ~ Sabine: Moin!\n[3/3/22, 10:32:40 AM] ~ Sabine: ${QUESTION}`,
      `Moin!\n${QUESTION}`,
    ],
    [
      '[Nachtdienst 22:00-06:00] Zuschlag: wie viel Prozent gibt es?',
      '[Nachtdienst 22:00-06:00] Zuschlag: wie viel Prozent gibt es?',
    ],
    [
      '01.05.2024, 08:00 - Betriebsversammlung: Muss ich hin?',
      '01.05.2024, 08:00 - Betriebsversammlung: Muss ich hin?',
    ],
  ])('asks nothing where it is who wrote in a chat, and when: %s', (text, asked) => {
    expect(askedIn(text, 'de')).toBe(asked);
  });

  it.each([
    ['Was kostet auf www.example.de der Eintritt?'],
    ['Was ist https://example.com?'],
    ['Gilt laut https://wiki.de/Spezial:Suche das auch für Urlaub?'],
  ])('is asked about where it is an address: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(text);
  });

  it.each([
    [`'; DROP TABLE interactions;-- ${QUESTION}`],
    [`1; DELETE FROM users; ${QUESTION}`],
    [`' OR '1'='1' -- ${QUESTION}`],
    [`' UNION SELECT name, pay FROM users-- ${QUESTION}`],
    [`<script>alert("Warum?")</script> ${QUESTION}`],
    [`<img src=x onerror=alert(1)>\${7*7} {{7*7}} ${QUESTION}`],
    [`${QUESTION} <script>alert(1)</script> \${7*7} {{7*7}}`],
    [`'; DROP TABLE interactions;-- ${QUESTION} <script>alert(1)</script> \${7*7} {{7*7}}`],
    [`$(cat /etc/passwd) ${QUESTION}`],
  ])('asks nothing where it is code: %s', (text) => {
    expect(askedIn(text, 'de')).toBe(QUESTION);
  });

  it.each([
    'What is the difference between <b> and <strong>',
    'How do I write <script>?',
    '<details> is rendered how?',
    '${HOME} expands to what?',
    '{{ user }}: what does this print?',
    'Am Montag schrieb mein Chef: es gibt keinen Urlaub. Darf er das?',
    'Ich bin krank; wie lange bekomme ich Lohn?',
    'Von: Hamburg\nAn: München\nWas kostet die Fahrt?',
    'Gilt das ab > 5 Jahren im Betrieb?',
    '{"question": "Wann verfällt der Resturlaub?"}',
    'Lohn -- wann ist er fällig?',
    'Was bedeutet diese Meldung?\nERROR: leave_not_met',
    'Um 08:41 kam die Kündigung: ist das zu spät?',
    'Fragen:\n- Wann verfällt der Urlaub?\n- Wie lang ist die Probezeit?',
  ])('is no quotation and no code: %s', (question) => {
    expect(askedIn(question, /[äü]|Lohn|Jahr|Chef|Betrieb/u.test(question) ? 'de' : 'en')).toBe(question);
  });
});

const STORY =
  'Mein Sohn lernt Bäcker in einem kleinen Betrieb, und die Kollegen sind nett. Er fährt morgens mit dem Rad hin, auch im Winter, ' +
  'und der Meister ist streng, aber fair. Gestern kam er so müde nach Hause, dass er beim Essen eingeschlafen ist, da frage ich lieber einmal nach.';

describe('the question in a long story', () => {
  it('is read alone where it says what it is about', () => {
    const question = 'Wie lange muss die Pause bei acht Stunden Arbeit sein?';
    expect(questionInStory(`${STORY} ${question}`, 'de')).toBe(question);
    expect(questionInStory(`${STORY} Meine Frage: ${question}`, 'de')).toBe(question);
    expect(questionInStory(`${question} ${STORY}`, 'de')).toBe(question);
  });

  it.each([
    ['leans on the story', `${STORY} Wie lange muss er dann Pause machen?`],
    ['is about who asks', `${STORY} Wie viel Urlaub steht mir als Vater zu?`],
    ['is of the year of the story', `Das war 2019. ${STORY} Wie hoch ist der Mindestlohn?`],
    ['is of its country', `Wir leben in Österreich. ${STORY} Wie hoch ist der Mindestlohn?`],
    ['has hardly a story', 'Mein Sohn lernt Bäcker. Wie lange muss die Pause sein?'],
    ['is missing', STORY],
  ])('is not, where it %s', (_, text) => {
    expect(questionInStory(text, 'de')).toBeNull();
  });
});
