/**
 * Pairs of words: words of a claim that make a figure a limit, and the words of which the source must then have one.
 */
const LIMITS: readonly { readonly claimed: RegExp; readonly stated: RegExp }[] = [
  {
    claimed: /(?<!\p{L})(?:höchstens|maximal|längstens|bis zu|at most|up to|no more than)(?!\p{L})/iu,
    stated:
      /höchst|maxim|längst|spätest|(?<!\p{L})bis(?!\p{L})|grenze|begrenz|beschränk|übersteig|überschr|nicht (?:mehr|länger|über)|at most|up to|more than|limit|exceed/iu,
  },
  {
    claimed: /(?<!\p{L})(?:mindestens|wenigstens|at least|no less than)(?!\p{L})/iu,
    stated: /mindest|wenigst|minim|unterschr|nicht (?:weniger|kürzer|unter)|at least|less than/iu,
  },
  {
    claimed: /(?<!nicht |no |not )(?<!\p{L})(?:mehr als|more than)(?!\p{L})/iu,
    stated: /mehr als|(?<!\p{L})über|höher|länger|more than|exceed|above|over/iu,
  },
  {
    claimed: /(?<!nicht |no |not )(?<!\p{L})(?:weniger als|less than)(?!\p{L})/iu,
    stated: /weniger|(?<!\p{L})unter|niedriger|kürzer|less than|fewer than|below|under/iu,
  },
];

/** False if a claim makes a limit of a figure (`höchstens 10,45 Euro`) that is no limit in its source. */
export const hasLimitsOf = (claim: string, source: string): boolean =>
  LIMITS.every(({ claimed, stated }) => !claimed.test(claim) || stated.test(source));
