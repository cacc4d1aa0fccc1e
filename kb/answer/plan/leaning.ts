/** The words after the pronoun. Before a noun (`das Elterngeld`) it would be an article. */
const OF = String.raw`(?:(?:dann|denn|eigentlich|jetzt|so|aus)\s+)*(?:auch|bei|beim|im|in|für|am|an|unter|ab|nach|genauso|anders)(?!\p{L})`;
/** At most this many words follow the preposition: more of them may say what is meant. */
const FEW_WORDS = String.raw`(?:[^\s?]+\s*){1,4}\??`;

const WAYS: readonly RegExp[] = [
  // `Und bei Teilzeit?`, `And for part-timers?`
  new RegExp(
    String.raw`^(?:und|aber|and|but)\s+(?:bei|beim|für|im|als|for|with|as|in)\s+${FEW_WORDS}$`,
    'iu',
  ),
  // `Gilt das auch für Azubis?`, `und wie ist das im Osten?`
  new RegExp(
    String.raw`^(?:und\s+|aber\s+)?(?:gilt|zählt|stimmt|(?:wie\s+)?(?:ist|war|sieht|läuft))\s+(?:das|dies|dasselbe|das\s+gleiche)\s+${OF}`,
    'iu',
  ),
  // `Does that also apply to trainees?`, `is it the same in the east?`
  /^(?:and\s+|but\s+)?(?:does|would)\s+(?:this|that|the same)\s+(?:also\s+)?(?:apply|hold|count|go)(?!\p{L})/iu,
  /^(?:and\s+|but\s+)?is\s+(?:this|that|it)\s+(?:also\s+)?(?:the\s+same|different|true)\s+(?:for|in|with)(?!\p{L})/iu,
  // `What about trainees?`
  new RegExp(String.raw`^(?:and\s+)?(?:what|how)\s+about\s+${FEW_WORDS}$`, 'iu'),
];

/** Whether a question depends on something that was said before. */
export const leansOnMore = (question: string): boolean => WAYS.some((way) => way.test(question.trim()));
