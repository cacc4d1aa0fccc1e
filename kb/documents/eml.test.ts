import { describe, expect, it } from 'vitest';

import { eml } from './eml.ts';
import type { Document } from './unit.ts';

const HEAD = 'From: Anna <anna@example.org>\r\nDate: Tue, 5 Mar 2024 10:00:00 +0100\r\n';

const parse = async (head: string, body: string): Promise<Document> =>
  eml.parse(Buffer.from(`${HEAD}${head}\r\n\r\n${body.replaceAll('\n', '\r\n')}`), 'a.eml');

const texts = ({ units }: Document): string[] => units.map((unit) => (unit.kind === 'row' ? '' : unit.text));

const attached = (subject: string, body: string): string =>
  `From: Ben <ben@example.org>\nSubject: ${subject}\n${body}`;
const plain = (text: string): string => `Content-Type: text/plain; charset=utf-8\n\n${text}`;
const both = (boundary: string, text: string, inner: string, how = ''): string =>
  `Content-Type: multipart/mixed; boundary=${boundary}\n\n--${boundary}\n${plain(text)}\n--${boundary}\n` +
  `Content-Type: message/rfc822\n${how}\n${inner}\n--${boundary}--\n`;

/** The texts of a mail about a bill, below this subject. */
const toldBelow = async (subject: string): Promise<string[]> =>
  texts(
    await parse(
      `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8`,
      'Hallo,\nanbei die Rechnung vom 3. Mai.\nViele Grüße\nAnna',
    ),
  );

describe('a mail', () => {
  it('is what its sender wrote, without what it answers and the signature', async () => {
    const mail = await parse(
      'Subject: =?UTF-8?Q?Schl=C3=BCssel?=\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable',
      'Bitte so:\n\n- Gr=FCn zur=FCck\n- Rot behalten\n\nAm 4. M=E4rz 2024 um 9:12 Uhr\nschrieb Ben <ben@example.org>:\n\n> Wohin damit?\n> Und wann?\n\nBis Freitag.\n\n-- \nAnna\nFirma',
    );
    expect(mail).toEqual({
      title: 'Schlüssel',
      stand: '2024-03',
      units: [
        { kind: 'paragraph', text: 'Bitte so:' },
        { kind: 'item', depth: 0, text: 'Grün zurück' },
        { kind: 'item', depth: 0, text: 'Rot behalten' },
        { kind: 'paragraph', text: 'Bis Freitag.' },
      ],
      leftOut: { 'quoted history': 1, signature: 1 },
    });
  });

  it.each([
    [
      'Outlook, in plain text',
      'text/plain',
      'Ja.\n\nVon: Ben <b@example.org>\nGesendet: Montag, 4. März 2024\nAn: Anna\n\nDarf ich?',
    ],
    [
      'Outlook, as HTML',
      'text/html',
      '<p>Ja.</p><div style="border-top:solid"><p><b>From:</b> Ben<br><b>Sent:</b> Monday</p></div><p>May I?</p>',
    ],
    [
      'Outlook on the web',
      'text/html',
      '<div>Ja.</div><hr><div id="divRplyFwdMsg">Von: Ben</div><div>Darf ich?</div>',
    ],
    [
      'Gmail',
      'text/html',
      '<div>Ja.</div><div class="gmail_quote">Am Mo. schrieb Ben:<blockquote>Darf ich?</blockquote></div>',
    ],
    ['Thunderbird', 'text/html', '<p>Ja.</p><blockquote type="cite">Darf ich?</blockquote>'],
  ])('leaves out what %s quotes', async (_, type, body) => {
    const mail = await parse(`Subject: Frage\r\nContent-Type: ${type}; charset=utf-8`, body);
    expect(texts(mail)).toEqual(['Ja.']);
    expect(mail.leftOut).toEqual({ 'quoted history': 1 });
  });

  it.each([
    [
      'text/plain',
      'Liebe Kolleginnen und Kollegen,\n\nab Mai gilt das Neue.\n\nViele Grüße\nAnna Berg\n\nFirma GmbH\nTel. 040 123\n\nP.S.: Der Plan hängt aus.',
    ],
    [
      'text/html',
      '<p>Sehr geehrte Frau Berg,</p><p>ab Mai gilt das Neue.</p><p>Mit freundlichen Grüßen<br>Ben</p><p>Firma GmbH</p><p>P.S.: Der Plan hängt aus.</p>',
    ],
    [
      'text/html',
      '<p>Hi all,</p><p>ab Mai gilt das Neue.</p><p>Best,</p><p>Ben</p><p>P.S.: Der Plan hängt aus.</p>',
    ],
  ])('leaves out greeting and signature of %s, and counts them', async (type, body) => {
    const mail = await parse(`Subject: Neues\r\nContent-Type: ${type}; charset=utf-8`, body);
    expect(texts(mail)).toEqual(['ab Mai gilt das Neue.', 'P.S.: Der Plan hängt aus.']);
    expect(mail.leftOut).toEqual({ greeting: 1, signature: 1 });
  });

  it('leaves out what a program puts around the text, and counts it', async () => {
    const mail = await parse(
      'Subject: Neues\r\nContent-Type: text/html; charset=utf-8',
      `<p>View this email in your browser</p><p>Firma</p><p>Hi Anna,</p><p>ab Mai gilt das Neue.</p>
      <p><a href=/1>Konto</a> | <a href=/2>Produkte</a> | <a href=/3>Preise</a> | <a href=/4>Hilfe</a></p>
      <p>Wenn Sie keine weiteren E-Mails wünschen, können Sie diese hier abbestellen.</p>
      <p>© 2024 Firma GmbH. Alle Rechte vorbehalten.</p><p>From 17@xxx Wed Mar 01 10:09:01 +0000 2023 X-ID: 1</p>`,
    );
    expect(texts(mail)).toEqual(['Firma', 'ab Mai gilt das Neue.']);
    expect(mail.leftOut).toEqual({ greeting: 1, navigation: 3, footer: 2 });
  });

  it('has no characters that nobody sees, and does not say how to leave a list', async () => {
    const mail = await parse(
      'Subject: Neues\r\nContent-Type: text/html; charset=utf-8',
      `<p>Ab Mai gilt das Neue.${'\u034F \u200C\u00A0\u200D\u200B'.repeat(100)}</p><p>\u200C\u034F</p><p>Mehr steht im Plan.</p>
      <p>You are receiving this because you were mentioned.</p><p>Reply to this email directly, view it on the web, or unsubscribe.</p>
      <p>click here to remove yourself from our emails list</p><p>Update your email preferences</p>
      <p>Sie erhalten diese E-Mail, weil Sie den Rundbrief bestellt haben.</p>
      <p>Privacy Notice | Cookie Policy | Terms and Conditions</p><p>Um sich abzumelden, klicken Sie bitte hier.</p>
      <p>If you no longer wish to receive emails from us, please unsubscribe.</p>`,
    );
    expect(texts(mail)).toEqual(['Ab Mai gilt das Neue.', 'Mehr steht im Plan.']);
    expect(mail.leftOut).toEqual({ footer: 8 });
  });

  it('keeps sentences about such things, and links that it is about', async () => {
    const told = [
      'View the plan in your browser before you print it.',
      'Wer am Ausflug nicht teilnimmt, muss sich hier abmelden.',
      'Remove your name from the guest list at the door.',
      'To opt out of the pension scheme, send the form by 1 May.',
      'Copyright of the photos taken in 2023 stays with those who took them, unless they have told us otherwise in writing before the end of the year; ask Ben if you want to use one.',
      'Lies Regeln, Preise und Hilfe.',
    ];
    const linked = told.map(
      (text) => `<p>${text.replaceAll(/Regeln|Preise|Hilfe/gu, '<a href=/>$&</a>')}</p>`,
    );
    const mail = await parse('Subject: Neues\r\nContent-Type: text/html; charset=utf-8', linked.join(''));
    expect(texts(mail)).toEqual(told);
    expect(mail.leftOut).toBeUndefined();
  });

  it('keeps sentences that begin like a greeting or a closing', async () => {
    const told = [
      'Hallo Anna, ab Mai gilt das Neue. Bitte beachten.',
      'Best practice is to wait: the order is sent again.',
      'Viele Grüße soll ich von Ben ausrichten, der im Mai kommt.',
    ];
    const mail = await parse('Subject: Neues\r\nContent-Type: text/plain; charset=utf-8', told.join('\n\n'));
    expect(texts(mail)).toEqual(told);
  });

  it('keeps what is said below a closing', async () => {
    const said = 'Please empty room 204 before Tuesday 8 a.m.; the key is with Mr. Lang.';
    const mail = await parse(
      'Subject: Rooms\r\nContent-Type: text/plain; charset=utf-8',
      `The new plan is out.\n\nSincerely,\nAnna Berg\n\nExample Ltd.\n\n${said}`,
    );
    expect(texts(mail)).toEqual(['The new plan is out.', said]);
    expect(mail.leftOut).toEqual({ signature: 1 });
  });

  it('keeps what is passed on, and what has nothing but a quotation', async () => {
    const body = 'Zur Info.\n\n-----Ursprüngliche Nachricht-----\nVon: Ben\n\nAb Mai gilt das Neue.';
    expect(
      texts(await parse('Subject: WG: Neues\r\nContent-Type: text/plain; charset=utf-8', body)).join(' '),
    ).toContain('Ab Mai gilt das Neue.');
    const quoted = await parse('Subject: Neues\r\nContent-Type: text/plain', '> Ab Mai.\n> Immer.');
    expect(texts(quoted)).toEqual(['Ab Mai. Immer.']);
    expect(quoted.leftOut).toBeUndefined();
  });

  it.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16le', []],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-16be', []],
  ])('is read that was saved as %s, beginning with %j', async (encoding, mark) => {
    const written = Buffer.from(
      `${HEAD}Subject: Plan\r\nContent-Type: text/plain; charset=utf-16\r\n\r\nGrün gilt.`,
      'utf16le',
    );
    const bytes = Buffer.concat([Buffer.from(mark), encoding === 'utf-16be' ? written.swap16() : written]);
    expect(texts(await eml.parse(bytes, 'a.eml'))).toEqual(['Grün gilt.']);
  });

  it('is read as UTF-8 where it is, and the name of its encoding is unknown', async () => {
    const mail = await parse('Subject: Plan\r\nContent-Type: text/plain; charset=X-UNKNOWN', 'Grün gilt.');
    expect(texts(mail)).toEqual(['Grün gilt.']);
  });

  it('names attachments, and takes HTML before plain text', async () => {
    const mail = await parse(
      'Subject: Plan\r\nContent-Type: multipart/mixed; boundary=x',
      '--x\nContent-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain\n\n*Plan*\n--y\nContent-Type: text/html\n\n<h2>Plan</h2><p>Morgen.</p>\n--y--\n--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="plan.pdf"\n\nx\n--x--',
    );
    expect(mail.units).toEqual([
      { kind: 'heading', level: 2, text: 'Plan' },
      { kind: 'paragraph', text: 'Morgen.' },
    ]);
    expect(mail.leftOut).toEqual({ 'attachment plan.pdf': 1 });
  });

  it.each([
    ['text/plain', 'Guten Tag,\nanbei die neue Liste.\nMit freundlichen Grüßen\nAnna Berg\nFirma GmbH'],
    ['text/html', '<p>Guten Tag,<br>anbei die neue Liste.<br>Mit freundlichen Grüßen<br>Anna Berg</p>'],
    ['text/plain', 'Hello,\nanbei die neue Liste.\n\nBR,\nBen'],
    ['text/plain', 'Hi Ben,\n\nanbei die neue Liste.\n\nThanks.\n\nAnna'],
    ['text/html', '<div>Hallo,</div><div>anbei die neue Liste.</div><div>Vielen Dank,</div><div>Anna</div>'],
    ['text/html', '<p>Hallo Ben,</p><p>anbei die neue Liste.<br>-- <br>Regards, Anna</p>'],
    ['text/plain', 'Hallo zusammen!\n\nanbei die neue Liste.\n\n~Anna'],
  ])('leaves out greeting and signature of %s without empty lines around them: %s', async (type, body) => {
    const mail = await parse(`Subject: Neues\r\nContent-Type: ${type}; charset=utf-8`, body);
    expect(texts(mail)).toEqual(['anbei die neue Liste.']);
    expect(mail.leftOut).toEqual({ greeting: 1, signature: 1 });
  });

  it('keeps thanks and names that close nothing', async () => {
    const told = ['Danke', 'Ben hat die Liste gebracht.', 'Es kommen:', 'Anna'];
    const mail = await parse('Subject: Neues\r\nContent-Type: text/plain; charset=utf-8', told.join('\n\n'));
    expect(texts(mail)).toEqual(told);
    expect(mail.leftOut).toBeUndefined();
  });

  it('tells the subject where only it has a number', async () => {
    expect(await toldBelow('Rechnung 4711')).toEqual(['Rechnung 4711', 'anbei die Rechnung vom 3. Mai.']);
    expect(await toldBelow('Rechnung vom 3. Mai')).toEqual(['anbei die Rechnung vom 3. Mai.']);
  });

  it.each([
    [
      'text/plain',
      'Zur Info.\n\nViele Grüße\nAnna\n\n---------- Forwarded message ---------\nFrom: Ben Ort <ben@example.org>\nDate: Mon, 4 Mar 2024 at 9:12\nSubject: Neues\nTo: Anna\n <anna@example.org>\n\nHallo Anna,\n\nab Mai gilt das Neue.\n\n-- \nBen',
    ],
    [
      'text/plain',
      'Zur Info.\n\nVon: Ben Ort <ben@example.org>\nGesendet: Montag, 4. März 2024\nAn: Anna\nBetreff: Neues\n\n> Hallo Anna,\n> ab Mai gilt das Neue.\n> Ben',
    ],
    [
      'text/html',
      '<p>Zur Info.</p><div class="gmail_quote">---------- Forwarded message ---------<br>From: <b>Ben</b> &lt;ben@example.org&gt;<br>Date: Mon, 4 Mar 2024<br>Subject: Neues<br>To: Anna<br><br>Hallo Anna,<br><br>ab Mai gilt das Neue.<br><br>-- <br>Ben</div>',
    ],
    [
      'text/html',
      '<p>Zur Info.</p><div id="divRplyFwdMsg"><b>Von:</b> Ben Ort<br><b>Gesendet:</b> Montag, 4. März<br><b>An:</b> Anna</div><p>Hallo Anna,</p><p>ab Mai gilt das Neue.</p><p>Beste Grüße</p>',
    ],
  ])('has what it passes on in %s without the head, greeting and signature of that', async (type, body) => {
    const mail = await parse(`Subject: WG: Neues\r\nContent-Type: ${type}; charset=utf-8`, body);
    expect(texts(mail)).toEqual(['Zur Info.', 'ab Mai gilt das Neue.']);
    expect(mail.leftOut).toMatchObject({ greeting: 1, signature: 1 });
  });

  it('is HTML where it says so, whatever it is called, also as the second of two alternatives', async () => {
    const html = '<div dir="ltr"><div>Ab <b>Mai</b> gilt das Neue.</div></div>';
    const both = `--x\n${plain('Ab *Mai* gilt das Neue.')}\n--x\n${plain(html)}\n--x--`;
    const alternative = await parse('Subject: a\r\nContent-Type: multipart/alternative; boundary=x', both);
    expect(texts(alternative)).toEqual(['Ab Mai gilt das Neue.']);
    expect(texts(await parse('Subject: a\r\nContent-Type: text/plain', html))).toEqual([
      'Ab Mai gilt das Neue.',
    ]);
    const code = 'Bitte so:\n\n<p>Grün</p>';
    expect(texts(await parse('Subject: a\r\nContent-Type: text/plain; charset=utf-8', code))).toEqual([
      'Bitte so:',
      '<p>Grün</p>',
    ]);
  });

  it('is without what a mailing list, a key or an office adds to each mail', async () => {
    const mail = await parse(
      'Subject: Neues\r\nContent-Type: text/plain; charset=utf-8',
      `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nAb Mai gilt das Neue.\n\nSent from my iPhone\n
Diese E-Mail enthält vertrauliche Informationen.\n\nWenn Sie nicht der richtige Adressat sind, löschen Sie sie.
_______________________________________________\nNeues mailing list\nNeues@example.org\n`,
    );
    expect(texts(mail)).toEqual(['Ab Mai gilt das Neue.']);
    expect(mail.leftOut).toEqual({ navigation: 3, footer: 1 });
  });

  it('has the article that is attached to it', async () => {
    const article = 'From: Ben\nSubject: Preise\n\nDer Preis steigt im Mai.\n';
    const body = `--x\n${plain('Bitte bis Freitag prüfen.')}\n--x\nContent-Type: message/news\nContent-Disposition: inline\n\n${article}\n--x--`;
    const mail = await parse('Subject: Preise\r\nContent-Type: multipart/mixed; boundary=x', body);
    expect(texts(mail)).toEqual(['Bitte bis Freitag prüfen.', 'Preise', 'Der Preis steigt im Mai.']);
  });

  it('is named where it is none, empty, encrypted or nested too deeply', async () => {
    await expect(async () => eml.parse(Buffer.from('Hallo Welt'), 'a.eml')).rejects.toThrow('is not a mail');
    await expect(parse('Subject: leer', '')).rejects.toThrow('has no text');
    await expect(
      parse(
        'Subject: x\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64',
        'AAAA',
      ),
    ).rejects.toThrow('is encrypted: save it without encryption');
    let body = 'x';
    for (let i = 0; i < 100; i++)
      body = `--b${i}\nContent-Type: multipart/mixed; boundary=b${i - 1}\n\n${body}\n--b${i}--`;
    await expect(parse('Subject: x\r\nContent-Type: multipart/mixed; boundary=b99', body)).rejects.toThrow(
      'is broken',
    );
  });

  it('has the mails that are attached to it below their subjects, also where one is attached to another', async () => {
    const inner = attached('Preise', plain('Der Preis steigt im Mai.\n\n-- \nBen\n'));
    const middle = attached('Frage', both('bbb', 'Gilt das noch?', inner));
    const body = both(
      'aaa',
      'Zur Kenntnis, bitte bis Freitag prüfen.',
      middle,
      'Content-Disposition: attachment\n',
    );
    const [head, ...rest] = body.split('\n\n');
    const mail = await parse(`Subject: Preise im Mai\r\n${head}`, rest.join('\n\n'));
    expect(mail.units).toEqual([
      { kind: 'paragraph', text: 'Zur Kenntnis, bitte bis Freitag prüfen.' },
      { kind: 'heading', level: 1, text: 'Frage' },
      { kind: 'paragraph', text: 'Gilt das noch?' },
      { kind: 'heading', level: 2, text: 'Preise' },
      { kind: 'paragraph', text: 'Der Preis steigt im Mai.' },
    ]);
    expect(mail.leftOut).toEqual({ signature: 1 });
  });
});
