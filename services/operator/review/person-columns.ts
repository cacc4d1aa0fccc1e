import { foldSpelling } from '../../../kb/review/vocabulary.ts';
import { wordList } from '../../../kb/word-list.ts';

const NAMES = `
  name vorname nachname familienname rufname vor-und-nachname name-vorname nachname-vorname mitarbeiter mitarbeitername arbeitnehmername
  personalnummer personalnr pers-nr pers-nummer mitarbeiternummer mitarbeiternr mitarbeiter-id ma-nr ma-name
  stammnummer iban bic konto kontonummer kontonr bankverbindung sv-nr sv-nummer sozialversicherungsnummer
  versicherungsnummer rv-nummer rentenversicherungsnummer steuer-id steuer-idnr steueridentifikationsnummer idnr
  identifikationsnummer anschrift adresse straße wohnort email telefon employee employee-id employee-name
  employee-number first-name last-name surname`;
const PERSON = new Set(wordList(NAMES).map(foldSpelling));

/** Whether a column identifies a person. Such columns are never checked, whatever a mapping says. */
export const isOfPerson = (column: string): boolean => PERSON.has(foldSpelling(column));

/** Whether a column may tell persons apart, so that it is proposed for comparing two runs. */
export const mayIdentify = (column: string): boolean =>
  /(?:^|[^\p{L}])(?:pers|personal|mitarbeiter|ma|arbeitnehmer|an|stamm|employee|staff)[^\p{L}]*(?:nr|nummer|id|no|number)/iu.test(
    column,
  );
