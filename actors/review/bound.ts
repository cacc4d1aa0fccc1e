/** How a passage limits what it speaks of: at least, at most, above, below a figure; `exact` where it just states it. */
export type Bound = 'exact' | 'min' | 'max' | 'above' | 'below';

/** Words that may stand between a comparator and its figure: `bis zu insgesamt 1.500 Euro`, `höchstens die letzten …`. */
const BETWEEN = String.raw`(?:\s+(?:einem|einer|für|die|zu|zum|zur|ablauf|dauer|von|betrag|betrage|höhe|in|insgesamt|jeweils|rund|täglich|monatlich|jährlich|wöchentlich|durchschnittlich|the|a|total|of|an|amount))*\s*$`;

const BEFORE: readonly (readonly [Bound, RegExp])[] = [
  // `mindestens aber bis vier Monate`: the first word decides.
  ['min', /(?:mindestens|wenigstens) (?:aber|jedoch) bis(?: zu[mr]?)?\s*$/iu],
  [
    'max',
    new RegExp(
      String.raw`(?:höchstens|maximal|längstens|spätestens|bis|up to|at most|(?:no|not) more than|no later than|nicht (?:mehr|höher|länger) als|nicht über|begrenzt auf|beschränkt auf|capped at|not exceed(?:ing)?|limited to|auf höchstens)${BETWEEN}`,
      'iu',
    ),
  ],
  [
    'min',
    new RegExp(
      String.raw`(?:mindestens|frühestens|wenigstens|zumindest|at least|no less than|(?:no|not) less than|nicht (?:weniger|kürzer|niedriger) als|nicht unter)${BETWEEN}`,
      'iu',
    ),
  ],
  [
    'above',
    new RegExp(
      String.raw`(?:(?<!nicht )(?:mehr|höher|länger) als|(?<!nicht )über|more than|above|exceeds|(?<!not )exceed|oberhalb(?: de[rs] [\p{L}-]+)?)${BETWEEN}`,
      'iu',
    ),
  ],
  [
    'below',
    new RegExp(
      String.raw`(?:(?<!nicht )(?:weniger|kürzer|niedriger) als|(?<!nicht )unter|unterhalb|less than|below|noch nicht|noch keine?)${BETWEEN}`,
      'iu',
    ),
  ],
];
const BEHIND: readonly (readonly [Bound, RegExp])[] = [
  [
    'max',
    /nicht (?:\p{Ll}+ )?(?:übersteig|überschr|länger als)|not exceed|(?:begrenzt|beschränkt)(?!\p{L})/iu,
  ],
  ['min', /nicht (?:\p{Ll}+ )?unterschr/iu],
  ['above', /übersteig|überschreite|überschritten|exceed/iu],
  ['below', /unterschreite|unterschritten/iu],
];

/**
 * The bound of the figure between two stretches of its clause. What is denied turns round: `darf 450 Euro nicht
 * übersteigen` is at most.
 */
export function boundOf(before: string, behind: string): Bound {
  return (
    BEFORE.find(([, words]) => words.test(before))?.[0] ??
    BEHIND.find(([, words]) => words.test(behind))?.[0] ??
    'exact'
  );
}
