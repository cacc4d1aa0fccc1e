import type { Language } from '../source.ts';
import type { NotChecked } from './check.ts';

/**
 * The reasons for facts that are not checked because they only describe the case. Nobody expects such facts to be
 * checked.
 */
export const TELLS_CASE: Readonly<Record<'case' | 'not recomputed', Readonly<Record<Language, string>>>> = {
  case: {
    de: 'Die Angabe beschreibt den Fall; sie wird bei anderen Prüfungen berücksichtigt.',
    en: 'This describes the case; other checks take it into account.',
  },
  'not recomputed': {
    de: 'Die Angabe wird selbst nicht nachgerechnet; sie wird bei anderen Prüfungen berücksichtigt.',
    en: 'This is not recomputed itself; other checks take it into account.',
  },
};
const SENTENCES = Object.values(TELLS_CASE).flatMap((each) => Object.values(each));

/** Whether a fact is not checked because it only describes the case. */
export const tellsCase = ({ reason }: NotChecked): boolean =>
  SENTENCES.some((sentence) => reason.startsWith(sentence));

/** A sentence on how many facts were checked, how many could be, and how many only describe the case. */
export function sayShare(checked: number, notChecked: readonly NotChecked[], language: Language): string {
  const telling = notChecked.filter(tellsCase).length;
  const of = checked + notChecked.length - telling;
  if (language === 'de')
    return telling === 0
      ? `${checked} von ${of} Angaben geprüft.`
      : `${checked} von ${of} prüfbaren Angaben geprüft; ${telling} ${telling === 1 ? 'beschreibt' : 'beschreiben'} den Fall.`;
  return telling === 0
    ? `${checked} of ${of} facts checked.`
    : `${checked} of ${of} checkable facts checked; ${telling} ${telling === 1 ? 'describes' : 'describe'} the case.`;
}
