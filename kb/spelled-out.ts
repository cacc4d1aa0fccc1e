/** Letters that German or neighbouring languages transcribe with two letters. */
const SPELT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'oe',
  å: 'aa',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  þ: 'th',
};

/** A text in lower case and in the spelling of file names (`Änderung` as `aenderung`). */
export const spelledOut = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüßæøåœłđþ]/gu, (letter) => SPELT[letter]!);
