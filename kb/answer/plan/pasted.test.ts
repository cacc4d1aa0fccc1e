import { describe, expect, it } from 'vitest';
import { askedIn } from './pasted.ts';

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
    ['> Wann verfällt der Resturlaub?', QUESTION],
    [`Stimmt das?\n\n> Der Resturlaub verfällt im März.`, 'Stimmt das?\n\nDer Resturlaub verfällt im März.'],
    [`Von: Jana\nGesendet: Montag\nBetreff: Urlaub\n\nHallo,\n${QUESTION}`, `Hallo,\n${QUESTION}`],
    [`Bitte beantworten.\n\nAm 14.03.2022 schrieb Jana:\n> ${QUESTION}`, `Bitte beantworten.\n\n${QUESTION}`],
  ])('is read where nothing else asks: %s', (text, asked) => {
    expect(askedIn(text, 'de')).toBe(asked);
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
  ])('is no quotation and no code: %s', (question) => {
    expect(askedIn(question, /[äü]|Lohn|Jahr|Chef|Betrieb/u.test(question) ? 'de' : 'en')).toBe(question);
  });
});
