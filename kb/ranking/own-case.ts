/**
 * Signs that somebody asks for a fact of his own (what is left of his leave, when his pay comes) and not for a rule: only
 * files could tell it.
 */
const SIGNS: readonly RegExp[] = [
  // `Wie viele Tage habe ich noch`, `how many days do I have left`
  /\b(?:hab(?:e|en)?|hast|hat|hatte|have|has)\b[^?.!]*\b(?:noch|übrig|uebrig|schon|bereits|genommen|left|already|so far)\b/iu,
  /\b(?:noch|übrig|schon|bereits)\b[^?.!]*\b(?:hab(?:e|en)?|hat)\b/iu,
  // `Wann kommt mein Gehalt`, `when will my pay arrive`
  /\b(?:wann|when)\b[^?.!]*\b(?:komm(?:t|en)|kam|überwiesen|ueberwiesen|ausgezahlt|arrive|paid out)\b/iu,
  // `Wie hoch ist mein Resturlaub`, `what is my tax class`
  /\b(?:wie (?:hoch|viel\p{L}*|gro(?:ß|ss))|wer|welche\p{L}*|was|wo|what|which|who) (?:ist|sind|war|is|are|was)\b[^?.!]*\b(?:mein|unser|my|our)\p{L}*/iu,
  // `Herr Müller`, `Kollegin Schmidt`
  /\b(?:herrn?|frau|kolleg(?:e|en|in)|mr\.?|mrs\.?|ms\.?)\s+(?:dr\.?\s+)?\p{Lu}\p{Ll}+/u,
  // `letzten Monat`, `gestern`
  /\b(?:gestern|heute|morgen|letzte[nrs]? (?:monat|woche|jahr)|diese[nrs]? monat|nächste[nrs]? (?:monat|woche)|yesterday|today|last month|this month)\b/iu,
  /\b(?:bei uns|unsere[rmns]? (?:firma|betrieb|unternehmen|laden|chef\p{L}*|tarifvertrag)|our company)\b/iu,
];

/** How many of the signs a question has. */
export function ownCaseSigns(question: string): number {
  return SIGNS.filter((sign) => sign.test(question)).length;
}
