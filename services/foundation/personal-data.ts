/** The kinds of personal data that a question is searched for. */
type PersonalData = 'iban' | 'tax-id' | 'insurance-number' | 'name-with-salary';

/**
 * The personal data that can be recognised in a text: numbers whose check digits are right, and a person's name
 * together with earnings. Page and gateway call the same function; it stores and reports nothing.
 *
 * @example
 * personalDataIn('Pfändung auf DE89 3704 0044 0532 0130 00?'); // ['iban']
 */
export function personalDataIn(text: string): PersonalData[] {
  const found: [PersonalData, boolean][] = [
    ['iban', holds(text, IBAN_START, isIban)],
    ['tax-id', holds(text, TAX_ID, isTaxId)],
    [
      'insurance-number',
      holds(text, PENSION_NUMBER, isPensionNumber) || holds(text, HEALTH_NUMBER, isHealthNumber),
    ],
    ['name-with-salary', NAMES.some((name) => name.test(text)) && AMOUNT.test(text) && PAY.test(text)],
  ];
  return found.flatMap(([kind, isThere]) => (isThere ? [kind] : []));
}

/** Whether a text contains a match of `pattern` that passes `check`, without its spaces. */
function holds(text: string, pattern: RegExp, check: (compact: string) => boolean): boolean {
  return Array.from(text.matchAll(pattern)).some(([match]) =>
    check(match.replace(/[ \u00A0-]/g, '').toUpperCase()),
  );
}

/** Countries and the characters of their IBANs (ISO 13616). */
const IBANS = new Set(
  (
    'AD24 AL28 AT20 BA20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27 ' +
    'LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 TR26 UA29 VA22 XK20'
  ).split(' '),
);
/** The beginning of an IBAN: country and check digits. The match may include words that follow. */
const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00A0-]?[A-Z0-9]){11,30}/giu;
const TAX_ID = /(?<![\p{L}\p{N}.,])[1-9]\d[ \u00A0]?\d{3}[ \u00A0]?\d{3}[ \u00A0]?\d{3}(?![\p{L}\p{N}])/gu;
const PENSION_NUMBER =
  /(?<![\p{L}\p{N}])\d{2}[ \u00A0]?[0-7]\d[01]\d{3}[ \u00A0]?[A-Z][ \u00A0]?\d{2}[ \u00A0]?\d(?![\p{L}\p{N}])/giu;
const HEALTH_NUMBER =
  /(?<![\p{L}\p{N}])[A-Z][ \u00A0]?\d{3}[ \u00A0]?\d{3}[ \u00A0]?\d{3}(?![\p{L}\p{N}])/giu;

/**
 * The check of an IBAN by ISO 7064, MOD 97-10: country and check digits are moved behind the account, letters count 10
 * … 35.
 */
function isIban(compact: string): boolean {
  const country = compact.slice(0, 2);
  return Array.from({ length: compact.length + 1 }, (_, length) => length)
    .filter((length) => IBANS.has(`${country}${length}`))
    .some((length) => remainder97(compact.slice(4, length) + compact.slice(0, 4)) === 1);
}

function remainder97(signs: string): number {
  return Array.from(signs).reduce((rest, sign) => Number(`${rest}${parseInt(sign, 36)}`) % 97, 0);
}

/**
 * The check of a tax id by § 139b AO: one of the first ten digits occurs two or three times; the last digit is a check
 * digit by ISO 7064, MOD 11,10.
 */
function isTaxId(compact: string): boolean {
  const digits = Array.from(compact, Number);
  const repeated = [...Map.groupBy(digits.slice(0, 10), (digit) => digit).values()]
    .map((same) => same.length)
    .filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0]! > 3) return false;
  const product = digits.slice(0, 10).reduce((so, digit) => (((digit + so) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === digits[10];
}

/**
 * The check of a pension insurance number by § 147 SGB VI, § 2 VKVV: area, date of birth, letter of the name, serial
 * number, check digit.
 */
function isPensionNumber(compact: string): boolean {
  return weighedDigit(compact, [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]);
}

/** The check of a health insurance number by § 290 SGB V: a letter, eight digits, check digit. */
function isHealthNumber(compact: string): boolean {
  return weighedDigit(compact, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]);
}

/**
 * Whether the check digit is right. The letter counts as its place in the alphabet, each digit is multiplied by its
 * weight, and the digit sums are added: the last digit of the sum must be the check digit.
 */
function weighedDigit(compact: string, weights: readonly number[]): boolean {
  const digits = compact.replace(/[A-Z]/, (letter) => String(letter.charCodeAt(0) - 64).padStart(2, '0'));
  const sum = weights
    .map((weight, place) => weight * Number(digits[place]))
    .reduce((all, product) => all + Math.floor(product / 10) + (product % 10), 0);
  return sum % 10 === Number(digits.at(-1));
}

const NAMES = [
  /\b(?:Herrn?|Frau|Kolleg(?:en?|in)|Mr\.?|Mrs\.?|Ms\.?)\s+(?:Dr\.\s+)?\p{Lu}\p{Ll}+/u,
  /\b(?:Mitarbeiter|Angestellter?|Azubi|Mandant|employee)(?:in)?\s+\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/u,
  // A first and a last name before the verb. Words that often begin a sentence are no first names.
  /(?<!\p{L})(?!(?:D(?:er|ie|as|iese[rs]?)|Jede[rs]?|Welche[rs]?|(?:[KMDS]?ein|Ihr|Unser)(?:e[rsnm]?)?|Wenn|Weil|Falls|Ob|Was|Wer|Wie|Wo|Wann|Warum|Kann|Darf|Muss|The|An?|My|Our|If|What|How|When|Does|Is)\s)\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+\s+(?:verdient|bekommt|erhält|earns|gets|makes)(?!\p{L})/u,
];
/** An amount in euros, or a figure that is no year, no § and no percentage. */
const AMOUNT =
  /\d\s?(?:€|EUR\b|Euro\b)|(?:€|EUR)\s?\d|(?<!§\s?|\d|\d[.,])(?!(?:19|20)\d\d(?!\d))\d{1,3}(?:[.,]?\d{3})+(?!\d|\s?%)/iu;
const PAY =
  /verdien|gehalt|gehälter|lohn|löhne|brutto|netto|entgelt|bezüge|vergüt|bekommt|erhält|\b(?:salary|wages?|earns?|gets|makes|paid|gross|net)\b/iu;
