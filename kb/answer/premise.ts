import { plainAnalysis } from '../analysis/analysis.ts';
import { similarity } from '../analysis/similarity.ts';
import { tellingOf } from '../analysis/telling.ts';
import type { Word } from '../analysis/word.ts';
import type { Language, Source } from '../source.ts';
import type { Sentence } from '../sentences.ts';
import { negations } from './negation.ts';
import { quantitiesIn, type Quantity } from './quantities.ts';
import { sentencesOf } from './source-sentences.ts';

/** Where a clause may begin: not at a comma within a number, nor before words that are forbidden. */
const CLAUSE = /[.;:!?–—]\s|(?<!gestattet|erlaubt|zulässig|möglich|verboten|untersagt),(?!\d)|[?!.]$/u;

const ASKS_WHETHER: Readonly<Record<Language, RegExp>> = {
  de: /^(?:und |oder |aber |dann |also )?(?:darf|dürfen|dürft|kann|könn\p{L}+|muss|muß|müss\p{L}+|soll\p{L}*|ist|sind|war|waren|hat|hab\p{L}*|gibt|gibts|wird|werden|bekomm\p{L}*|krieg\p{L}*|gilt|gelten|reicht|reichen|brauch\p{L}*|dauer[tn]|beträgt|betragen|kostet|kosten|verfällt|zahl\p{L}*|zähl\p{L}*|haftet|stimmt)(?!\p{L})/iu,
  en: /^(?:and |or |but |so |then )?(?:can|could|may|must|should|shall|do|does|did|is|are|am|was|were|has|have|will|would)(?!\p{L})/iu,
};
/** Verbs that only make a question and do not say what it is about, and `own`. */
const ASKS_ONLY =
  /^(?:eigen\p{L}*|own|darf|dürfen|kann|könn\p{L}+|muss|müss\p{L}+|soll\p{L}*|gibts?|bekomm\p{L}*|krieg\p{L}*|brauch\p{L}*|can|could|may|must|should|get|gets|need)$/iu;
/** Tags at the end of a statement that make it a question. */
const TAG =
  /(?:,|\s)\s*(?:oder|oder nicht|richtig|stimmts|stimmt['’]s|stimmt das|right|correct|yes|isn['’]t it|is that right)\s*\?+\s*$/iu;
/** Words anywhere in a question that ask for something else than yes or no. */
const ASKS_WHAT =
  /(?<!\p{L})(?:was|wann|wer|wem|wen|wessen|wie|wie ?viele?|wo\p{L}*|warum|wieso|weshalb|welch\p{L}*|what|when|who|whom|whose|how|where|why|which)(?!\p{L})/iu;

/** Asks whether something is allowed or possible, or whether it is a duty. */
const MAY =
  /(?<!\p{L})(?:darf|dürfen|dürft|kann|könn\p{L}+|erlaubt|gestattet|zulässig|möglich|may|can|could|allowed|permitted|possible)(?!\p{L})/iu;

/** Says that something is no duty: this forbids nothing. */
const DUTY =
  /(?<!\p{L})(?:muss|muß|müss\p{L}+|brauch\p{L}*|nötig|notwendig|erforderlich|verpflichtet|pflicht|zwingend|need\p{L}*|must|have to|has to|required|necessary|mandatory|obliged)(?!\p{L})/iu;
/** Words that deny without a negation. */
const FORBIDS =
  /(?<!\p{L})(?:verboten|untersagt|unzulässig|ausgeschlossen|unmöglich|prohibited|forbidden|impossible)(?!\p{L})/iu;
/** Words of a question whether something is still so, and words that say that it no longer is. */
const STILL = /(?<!\p{L})(?:noch|still)(?!\p{L})/iu;
const NO_LONGER = /(?<!\p{L})(?:nicht mehr|no longer|not any ?more)(?!\p{L})/giu;
/** Makes a statement hold for some cases only, or turns it in a way that is not looked into. */
const LIMITS_THE_CASE =
  /(?<!\p{L})(?:wenn|falls|sofern|soweit|solange|sobald|bis|nur|ohne|außer\p{L}*|ausser|ausgenommen|ausnahm\p{L}*|es sei denn|grundsätzlich|in der regel|mehr|weniger|mindestens|höchstens|maximal|über|unter|ab|allein\p{L}*|selbst|if|unless|until|when|while|once|only|just|except|without|otherwise|generally|usually|at least|at most|up to|more|less|fewer|over|under|from|always|necessarily|immer|unbedingt|automati\p{L}+|yet|noch)(?!\p{L})/giu;
/** The beginning of a clause that says which or why, not whether. */
const SUBORDINATE =
  /^\s*(?:(?:in|an|auf|mit|von|bei|für|zu|aus|über|nach)\s+)?(?:der|die|das|den|dem|deren|dessen|welche\p{L}*|dass|ob|weil|da|damit|obwohl|who|which|that|whose|because|since|whether|although|so that)(?!\p{L})/iu;
/** The beginning of a statement on any subject that denies it. */
const ALLOWED =
  /^(?:zugelassen|zulässig|erlaubt|gestattet|möglich|vorgesehen|verboten|untersagt|allowed|permitted|possible|supported|prohibited|forbidden)$/iu;
/** The beginning of a sentence that refers to an earlier one. */
const POINTS_BACK =
  /^(?:er|sie|es(?! (?:ist|wird|werden|besteht|gibt) )|dies\p{L}*|das(?! \p{Lu})|dabei|dadurch|dort|hier\p{L}*|dazu|daher|dann|sonst|auch|jedoch|allerdings|he|she|it|they|this|these|those|there|however|such)(?!\p{L})/u;

/** The share of the question that a statement with its headings must have. */
const SAME = 0.75;
/** The same if the question is whether something is still so, and it no longer is. */
const SAME_OF_THEN = 0.5;
/** A longer question tells a story, without a single assumption. */
const MAX_WORDS = 20;
/** A longer text is not looked at: it speaks of much else, and each of its clauses is compared with the whole question. */
const MAX_SENTENCES = 100;
/** From this similarity on a word stands for another. */
const ALIKE = 0.6;

/**
 * The sentence of a source that contradicts the assumption of a question: it denies what a yes-or-no question asks, or
 * has another figure for it. It is careful rather than complete: `null` if another sentence says otherwise, if there is
 * a condition or an exception, or if the sentence says less than the question.
 *
 * @example contradicting('Sind Haustiere erlaubt?', 'de', source) // 'Haustiere sind nicht erlaubt.'
 */
export function contradicting(question: string, language: Language, source: Source): string | null {
  const asked = readQuestion(question, language);
  if (asked === null) return null;
  const headings = plainAnalysis.words(`${source.section} ${source.title}`, source.lang);
  const all = sentencesOf(source).filter(({ form }) => form !== 'code');
  if (all.length > MAX_SENTENCES) return null;
  let text: readonly Word[] | undefined;
  const around = (): readonly Word[] => (text ??= plainAnalysis.words(source.text, source.lang));
  const about = all.flatMap((sentence) =>
    clausesOf(sentence.text).flatMap((clause, i) => {
      if (i > 0 && SUBORDINATE.test(clause)) return [];
      const said = statementOf(clause, asked, headings, around, source.lang);
      return said === null ? [] : [{ sentence, ...said }];
    }),
  );
  const denials = about.filter(({ denies }) => denies);
  const [denial] = denials;
  if (denial === undefined || denials.some(({ sentence }) => sentence !== denial.sentence)) return null;
  if (about.some(({ denies, share }) => !denies && share >= denial.share)) return null;
  return standsAlone(denial.sentence, asked) ? denial.sentence.text : null;
}

/** A content word of the question, with its weight. */
interface AskedWord {
  readonly word: Word;
  readonly weight: number;
}

interface Asked {
  readonly question: string;
  readonly words: readonly AskedWord[];
  /** The one figure that it states, if any. */
  readonly figure: Quantity | null;
  readonly may: boolean;
}

/** The statement in a yes-or-no question; `null` for other questions, and for those with a negation. */
function readQuestion(question: string, language: Language): Asked | null {
  const clauses = clausesOf(question);
  if (!TAG.test(question) && !clauses.some((clause) => ASKS_WHETHER[language].test(clause))) return null;
  if (ASKS_WHAT.test(question)) return null;
  if (negations(question) > 0 || FORBIDS.test(question)) return null;
  const figures = quantitiesIn(question, language).filter(({ kind }) => kind === 'number');
  if (figures.length > 1) return null;
  const [figure = null] = figures;
  if (figure !== null && !isPredicate(figure, question)) return null;
  const words = plainAnalysis
    .words(question.replace(TAG, ''), language)
    .filter(({ start, end }) => figure === null || end <= figure.start || start >= figure.end)
    .map((word) => ({
      word,
      weight: ASKS_ONLY.test(word.text) || ALLOWED.test(word.text) ? 0 : tellingOf(word.folded, language),
    }));
  if (words.length > MAX_WORDS) return null;
  return words.every(({ weight }) => weight === 0)
    ? null
    : { question, words, figure, may: MAY.test(question) };
}

/** Compares a figure with another one, which may be larger or smaller. */
const COMPARES = /(?<!\p{L})(?:zu|genug|reich\p{L}*|ausreich\p{L}*|too|enough|suffic\p{L}*)(?!\p{L})/iu;
/** Makes of a figure a case (`nach 6 Monaten`). */
const OF_A_CASE =
  /(?<!\p{L})(?:nach|mit|seit|vor|bei|in|innerhalb|binnen|an|ab|bis|um|von|für|zum?|after|with|for|within|by|before|since|of|at)\s+$/iu;

/** Whether a figure is what a question asks about, not a case that it asks for, a wish, or the side of a comparison. */
const isPredicate = ({ start }: Quantity, question: string): boolean =>
  !OF_A_CASE.test(question.slice(0, start)) &&
  !MAY.test(question) &&
  !COMPARES.test(question) &&
  limitsIn(question).length === 0;

/** The most letters of an ending. */
const ENDING = 3;

/** Whether a word stands for an asked one. The beginning of a compound (`Haus` of `Haustiere`) is something else. */
function isSame(asked: Word, said: Word): boolean {
  const isBeginning =
    asked.folded.startsWith(said.term) &&
    asked.folded.length > said.term.length + ENDING &&
    asked.term !== said.term;
  return !isBeginning && similarity(asked, said) >= ALIKE;
}

const clausesOf = (text: string): readonly string[] =>
  text.split(CLAUSE).flatMap((clause) => (clause.trim() === '' ? [] : [clause.trim()]));

const isAmong = (said: readonly Word[], asked: Word): boolean => said.some((word) => isSame(asked, word));

/**
 * Whether a clause denies the question, and the share of the question that it has; `null` if it is about something
 * else.
 */
function statementOf(
  clause: string,
  { question, words, figure, may }: Asked,
  headings: readonly Word[],
  around: () => readonly Word[],
  lang: Language,
): { readonly denies: boolean; readonly share: number } | null {
  const own = plainAnalysis.words(clause, lang);
  const total = weightOf(words);
  const here = words.filter(({ word }) => isAmong(own, word));
  const share = weightOf(here) / total;
  if (share === 0) return null;
  const underHeadings = words.filter(({ word }) => isAmong(own, word) || isAmong(headings, word));
  const isAbout = (found: readonly AskedWord[], least = SAME): boolean => weightOf(found) >= least * total;
  const denied = negations(clause) + Number(FORBIDS.test(clause));
  if (figure !== null) {
    if (!isAbout(underHeadings) || denied > 0) return null;
    const stated = quantitiesIn(clause, lang).filter(
      ({ kind, unit }) => kind === 'number' && unit === figure.unit,
    );
    const [only, ...others] = stated;
    if (only === undefined) return null;
    const isOther = figure.unit !== null && others.length === 0 && only.value !== figure.value;
    return { denies: isOther, share };
  }
  if (denied === 0) return isAbout(underHeadings) ? { denies: false, share } : null;
  if (denied > 1 || (may && DUTY.test(clause))) return null;
  // A denial of more than the question: all its words are in the question, and the other words of the question are
  // around it.
  const deniesMore = own.every(
    (word) => ALLOWED.test(word.text) || words.some((each) => isSame(each.word, word)),
  );
  const found = deniesMore
    ? words.filter((each) => underHeadings.includes(each) || isAmong(around(), each.word))
    : underHeadings;
  const isOver = STILL.test(question) && clause.search(NO_LONGER) !== -1;
  return isAbout(found, isOver ? SAME_OF_THEN : SAME) ? { denies: true, share } : null;
}

const weightOf = (words: readonly AskedWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

const limitsIn = (text: string): string[] =>
  [...text.matchAll(LIMITS_THE_CASE)].map(([word]) => word.toLowerCase());

/** Whether a sentence denies by itself and without conditions. */
function standsAlone({ text, lead, form }: Sentence, { question }: Asked): boolean {
  if (
    lead !== null ||
    form !== undefined ||
    POINTS_BACK.test(text.charAt(0).toLowerCase() + text.slice(1)) ||
    text.endsWith(':') ||
    text.endsWith('?')
  )
    return false;
  const asked = limitsIn(question);
  return limitsIn(text.replaceAll(NO_LONGER, '')).every((word) =>
    asked.some((other) => other.startsWith(word)),
  );
}
