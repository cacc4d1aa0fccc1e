import type { Language } from '../source.ts';
import type { NotChecked } from './check.ts';

/** What is said of a fact that is not checked because it only tells which case it is. Nobody expects such a fact to be checked. */
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

/** Whether a fact is not checked because it only tells which case it is. */
export const tellsCase = ({ reason }: NotChecked): boolean =>
  SENTENCES.some((sentence) => reason.startsWith(sentence));

/** How many facts were checked of those that could be, and how many only tell the case. */
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
