/** What is asked, up to the first thing that it is asked of. */
const OPENING =
  /^((?:wie\s+(?:hoch|lange?|groß|viel)|was|wann|how\s+(?:high|long|much|large)|what|when)\s+(?:ist|sind|gilt|gelten|beträgt|betragen|bedeutet|bedeuten|endet|enden|is|are)\s+)(\S.*?)\s*\??$/iu;
/**
 * Each thing must be named as one: `die Frist`, `the limit`. What stands without an article may belong together, and
 * `die wir zahlen` tells more of what stands before it.
 */
const THING =
  /^(?:der|die|das|den|ein|eine|einen|the|an?)\s+(?!(?:der|die|das|den|dem|eine?[mnrs]?|ich|er|sie|es|man|wir|ihr|im|in|an|am|auf|bei|beim|mit|von|vom|zu|zum|zur|für)\s)\p{L}.*[^-]$/iu;
const JOINT = /,?\s+(?:und|sowie|and)\s+/u;
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
  const row = time === null ? rest : rest.slice(0, time.index);
  const things = row.split(new RegExp(`${JOINT.source}|,\\s+`, 'u')).map((thing) => thing.trim());
  if (!JOINT.test(row) || !things.every((thing) => THING.test(thing))) return null;
  const when = time === null ? '' : ` ${time[1]}`;
  return things.map((thing) => `${SINGULAR.test(thing) ? singular(opening) : opening}${thing}${when}?`);
}

const singular = (opening: string): string =>
  opening.replace(/\p{L}+(?=\s+$)/u, (verb) => VERBS[verb.toLowerCase()] ?? verb);
