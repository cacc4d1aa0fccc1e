/** Letters that German or its neighbours transcribe with two. */
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

/** Lower case, as names of files spell it (`Änderung` as `aenderung`). */
export const spelledOut = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[äöüßæøåœłđþ]/gu, (letter) => SPELT[letter]!);
