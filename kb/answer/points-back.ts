/**
 * The beginning of a sentence that refers to an earlier one and says nothing alone, with its first letter in lower
 * case.
 */
const POINTS_BACK =
  /^(?:(?:er|sie|es(?! (?:ist|wird|werden|besteht|gibt) )|dies\p{L}*|das(?! \p{Lu})|sein\p{L}*|ihr\p{L}*|dabei|dadurch|damit|dort|hier\p{L}*|dazu|daher|danach|davon|deren|dessen|dann|letzter\p{L}*|sonst|außerdem|daneben|ebenso|auch|jedoch|allerdings|anschließend|dagegen|daran|darauf\p{L}*|daraus|darin|darüber|deshalb|deswegen|folglich|hingegen|somit|stattdessen|weiters|zudem|he|she|it|they|this|these|those|his|her|its|their|such|there|both|otherwise|however|also|hence|instead|then|therefore|thus)(?!\p{L})|(?:\p{L}+ ){1,3}(?:jedoch|hingegen)(?!\p{L})|(?:das|ein)?(?:selbe|gleiche)s? gilt|das [Gg]leiche gilt|entsprechendes gilt|satz \d|in diesem [Ff]all|in diesen [Ff]ällen)/u;
/** The beginning of an exception, which says little without its rule. */
const EXCEPTION = /^(?:abweichend|ausgenommen|(?:satz|absatz) \d+[^.]* gilt nicht)/u;

/** Whether a sentence refers to an earlier one. The number of a paragraph before it does not count. */
export function pointsBack(text: string): boolean {
  const opening = text.replace(/^\(\d+[a-z]?\)\s*/u, '');
  const small = opening.charAt(0).toLowerCase() + opening.slice(1);
  return POINTS_BACK.test(small) || EXCEPTION.test(small);
}
