import { describe, expect, it } from 'vitest';

import { readQuestion } from './read-question.ts';

describe('a question is read in its words', () => {
  it.each([
    ['Wie lang ist die K ü n d i g u n g s f r i s t?', 'Wie lang ist die Kündigungsfrist?'],
    ['(K ü n d i g u n g) Wie lange?', '(Kündigung) Wie lange?'],
    ['W i e  l a n g  i s t  d i e  P r o b e z e i t ?', 'Wie  lang  ist  die  Probezeit ?'],
    [
      'Wie lang ist die P\uFB02egezeit, und was ist o\uFB03ziell?',
      'Wie lang ist die Pflegezeit, und was ist offiziell?',
    ],
    ['Probe\u00ADzeit, Kündi\u200Bgungs\u2060frist\uFEFF?', 'Probezeit, Kündigungsfrist?'],
    ['K&uuml;ndigung&nbsp;&amp; &#220;bergang &#xA7; 3', 'Kündigung\u00A0& Übergang § 3'],
  ])('%s', (written, read) => {
    expect(readQuestion(written)).toBe(read);
  });

  it.each([['Gilt a b c d e f oder g?'], ['R&D; &unbekannt; AT&T'], ['Vitamin A B C D?'], ['👩‍💼 Urlaub?']])(
    'and else stays as it is: %s',
    (written) => {
      expect(readQuestion(written)).toBe(written);
    },
  );
});
