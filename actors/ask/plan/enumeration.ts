/** What is asked, up to the first thing that it is asked of. */
const OPENING =
  /^((?:wie\s+(?:hoch|lange?|groß|viel)|was|wann|how\s+(?:high|long|much|large)|what|when)\s+(?:ist|sind|gilt|gelten|beträgt|betragen|bedeutet|bedeuten|endet|enden|is|are)\s+)(\S.*?)\s*\??$/iu;
/** Each thing must be named as one: `die Frist`, `the limit`. What stands without an article may belong together. */
const THING = /^(?:der|die|das|den|ein|eine|einen|the|an?)\s+\p{L}.*[^-]$/iu;
const SINGULAR = /^(?:der|das|ein|eine)\s/iu;
/** A time at the end holds for all that is enumerated. */
const TIME = /\s+((?:ab|im|in|seit|für|zum|from|since|for|as\s+of)\s+(?:[^\s,]+\s+){0,3}(?:19|20)\d\d)$/iu;
const VERBS: Readonly<Record<string, string>> = {
  sind: 'ist',
  gelten: 'gilt',
  betragen: 'beträgt',
  bedeuten: 'bedeutet',
  enden: 'endet',
};

/**
 * One question for each thing of an enumeration; `null` where there is none, or where what is enumerated may belong
 * together (`zwischen A und B`, `Kosten und Nutzen`).
 *
 * @example splitEnumeration('Wie hoch sind der Mindestlohn und die Pauschale ab Juli 2022?')
 * // ['Wie hoch ist der Mindestlohn ab Juli 2022?', 'Wie hoch sind die Pauschale ab Juli 2022?']
 */
export function splitEnumeration(question: string): readonly string[] | null {
  const found = OPENING.exec(question);
  if (found === null) return null;
  const [, opening = '', rest = ''] = found;
  if (/\b(?:zwischen|between|sowohl|both)\b/iu.test(rest)) return null;
  const time = TIME.exec(rest);
  const things = (time === null ? rest : rest.slice(0, time.index))
    .split(/,?\s+(?:und|sowie|and)\s+|,\s+/u)
    .map((thing) => thing.trim());
  if (things.length < 2 || !things.every((thing) => THING.test(thing))) return null;
  const when = time === null ? '' : ` ${time[1]}`;
  return things.map((thing) => `${SINGULAR.test(thing) ? singular(opening) : opening}${thing}${when}?`);
}

const singular = (opening: string): string =>
  opening.replace(/\p{L}+(?=\s+$)/u, (verb) => VERBS[verb.toLowerCase()] ?? verb);
