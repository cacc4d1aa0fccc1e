import { splitHeadings } from '../heading.ts';
import type { Source } from '../source.ts';
import { datesIn } from './dates.ts';

/** Folders, files and first headings of texts about what was said at a time. */
const TALK =
  /(?<!\p{L})(?:(?:\p{L}*sitzungs?)?protokolle?s?|niederschrift(?:en)?|\p{L}*sitzung(?:en)?|meetings?|(?:meeting[ _-]?)?(?:minutes|notes)|news(?:letters?)?|(?:weblog|blog|posts?)|aktuelles|neuigkeiten|pressemitteilung(?:en)?|press[ _-]releases?)(?!\p{L})/iu;
/** The beginning of a file name with a date, such as `2016-10-08-vorstandssitzung.md`. */
const DATED = /^(?:19|20)\d{2}[-_. ]?\d{2}[-_. ]?\d{2}(?!\d)/u;
/** Words of a question that asks what was said or done at a time. */
const OF_A_TIME =
  /(?<!\p{L})(?:protokoll\p{L}*|\p{L}*sitzung(?:en)?|\p{L}*versammlung(?:en)?|beschlossen|beschluss|entschieden|letzte[rnms]?|zuletzt|neulich|bisher|warum|war(?:en|st|t)?|wurden?|minutes|meetings?|decided|discussed|last|latest|recent(?:ly)?|why|was|were|did)(?!\p{L})/iu;

/** Whether a question asks what was said or done at a time, and not which rule is valid. */
export const asksOfATime = (question: string): boolean =>
  OF_A_TIME.test(question) || datesIn(question).length > 0;

/** Whether a passage is from minutes, news or the like, which report how a rule was discussed at a time. */
export function isTalk({ path, section }: Source): boolean {
  if (path === undefined) return false;
  const names = path.split('/');
  const [document = ''] = splitHeadings(section);
  return (
    names.some((name) => DATED.test(name)) ||
    names.slice(0, -1).some((name) => TALK.test(name)) ||
    [names.at(-1)!, document].some((name) => TALK.test(name) && datesIn(name).length > 0)
  );
}
