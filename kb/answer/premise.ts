import { plainAnalysis } from '../analysis/analysis.ts';
import { similarity } from '../analysis/similarity.ts';
import { tellingOf } from '../analysis/telling.ts';
import type { Word } from '../analysis/word.ts';
import type { Language, Source } from '../source.ts';
import type { Sentence } from '../sentences.ts';
import { negations } from './negation.ts';
import { pointsBack } from './points-back.ts';
import { isOther, statedIn, type Figure } from './stated-figures.ts';
import { sentencesOf } from './source-sentences.ts';

/**
 * Where a clause may begin; not at a comma within a number, nor at a comma after a word such as `erlaubt`, because the
 * thing that is allowed follows it.
 */
const CLAUSE = /[.;:!?–—]\s|(?<!gestattet|erlaubt|zulässig|möglich|verboten|untersagt),(?!\d)|[?!.]$/u;

const ASKS_WHETHER: Readonly<Record<Language, RegExp>> = {
  de: /^(?:und |oder |aber |dann |also )?(?:darf|dürfen|dürft|kann|könn\p{L}+|muss|muß|müss\p{L}+|soll\p{L}*|ist|sind|war|waren|hat|hab\p{L}*|gibt|gibts|wird|werden|bekomm\p{L}*|krieg\p{L}*|gilt|gelten|reicht|reichen|brauch\p{L}*|dauer[tn]|beträgt|betragen|kostet|kosten|verfällt|zahl\p{L}*|zähl\p{L}*|haftet|stimmt)(?!\p{L})/iu,
  en: /^(?:and |or |but |so |then )?(?:can|could|may|must|should|shall|do|does|did|is|are|am|was|were|has|have|will|would)(?!\p{L})/iu,
};
/** Words that only form a question and do not name its subject, and `own`. */
const ASKS_ONLY =
  /^(?:eigen\p{L}*|own|stimmt|wahr|richtig|wirklich|tatsächlich|echt|doch|zeit|innerhalb|binnen|within|true|right|correct|really|actually|time|darf|dürfen|kann|könn\p{L}+|muss|müss\p{L}+|soll\p{L}*|gibts?|bekomm\p{L}*|krieg\p{L}*|brauch\p{L}*|can|could|may|must|should|get|gets|need)$/iu;
/** Tags at the end of a statement, such as `oder`, that make it a question. */
const TAG =
  /(?:,|\s)\s*(?:oder|oder nicht|richtig|stimmts|stimmt['’]s|stimmt das|right|correct|yes|isn['’]t it|is that right)\s*\?+\s*$/iu;
/** A statement that a word such as `doch` or `surely` makes a question. */
const SURELY = /(?<!\p{L})(?:doch|surely)(?!\p{L})[^?]*\?\s*$/iu;
/** Words of questions that cannot be answered by yes or no. */
const ASKS_WHAT =
  /(?<!\p{L})(?:was|wann|wer|wem|wen|wessen|wie|wie ?viele?|wo(?:her|hin|für|mit|durch|rauf|ran|rin|rüber|raus|zu|von|bei|nach)?|warum|wieso|weshalb|welch\p{L}*|what|when|who|whom|whose|how|where|why|which)(?!\p{L})/iu;

/** Words of questions whether something is allowed, possible or a duty. */
const MAY =
  /(?<!\p{L})(?:darf|dürfen|dürft|kann|könn\p{L}+|erlaubt|gestattet|zulässig|möglich|may|can|could|allowed|permitted|possible)(?!\p{L})/iu;

/** Words that say that something is no duty, which forbids nothing. */
const DUTY =
  /(?<!\p{L})(?:muss|muß|müss\p{L}+|brauch\p{L}*|nötig|notwendig|erforderlich|verpflichtet|pflicht|zwingend|need\p{L}*|must|have to|has to|required|necessary|mandatory|obliged)(?!\p{L})/iu;
/** Words that deny something without a negation. */
const FORBIDS =
  /(?<!\p{L})(?:verboten|untersagt|unzulässig|ausgeschlossen|unmöglich|prohibited|forbidden|impossible)(?!\p{L})/iu;
/** Words of a question whether something still holds, and words that say that it no longer does. */
const STILL = /(?<!\p{L})(?:noch|still)(?!\p{L})/iu;
const NO_LONGER = /(?<!\p{L})(?:nicht mehr|no longer|not any ?more)(?!\p{L})/giu;
/** Words that make a statement hold for some cases only, or turn its meaning in a way that is not analysed. */
const LIMITS_THE_CASE =
  /(?<!\p{L})(?:wenn|falls|sofern|soweit|solange|sobald|bis|nur|ohne|außer\p{L}*|ausser|ausgenommen|ausnahm\p{L}*|es sei denn|grundsätzlich|in der regel|mehr|weniger|mindestens|höchstens|maximal|über(?=\s+\p{N})|unter|ab|allein\p{L}*|selbst|if|unless|until|when|while|once|only|just|except|without|otherwise|generally|usually|at least|at most|up to|more|less|fewer|over(?=\s+\p{N})|under|from|always|necessarily|immer|unbedingt|automati\p{L}+|yet|noch)(?!\p{L})/giu;
/** The beginning of a clause that asks which or why, and not whether. */
const SUBORDINATE =
  /^\s*(?:(?:in|an|auf|mit|von|bei|für|zu|aus|über|nach)\s+)?(?:der|die|das|den|dem|deren|dessen|welche\p{L}*|dass|ob|weil|da|damit|obwohl|who|which|that|whose|because|since|whether|although|so that)(?!\p{L})/iu;
/** The beginning of a statement that denies or allows something, on any subject. */
const ALLOWED =
  /^(?:zugelassen|zulässig|erlaubt|gestattet|möglich|vorgesehen|verboten|untersagt|allowed|permitted|possible|supported|prohibited|forbidden)$/iu;
/** The share of the question's words that a statement with its headings must contain. */
const SAME = 0.75;
/**
 * The share that is enough if the question asks whether something still holds, and the statement says that it no longer
 * does.
 */
const SAME_OF_THEN = 0.5;
/** The most words of a question. A longer one tells a story, without a single assumption. */
const MAX_WORDS = 20;
/**
 * The most sentences of a text. A longer text is about much else, and comparing each clause with the question takes
 * long.
 */
const MAX_SENTENCES = 100;
/** Two words with at least this similarity count as equal. */
const ALIKE = 0.6;

/**
 * The sentence of a source that contradicts the assumption of a question: it denies what a yes-or-no question asks, or
 * has another figure for it. Rather none is found than a wrong one: `null` if another sentence contradicts it, if there
 * is a condition or an exception, or if the sentence says less than the question.
 *
 * @example contradicting('Sind Haustiere erlaubt?', 'de', source)
 * 'Haustiere sind nicht erlaubt.'
 */
export function contradicting(question: string, language: Language, source: Source): string | null {
  const asked = readQuestion(question, language);
  if (asked === null) return null;
  const headings = plainAnalysis.words(`${source.section} ${source.title}`, source.lang);
  const sentences = sentencesOf(source);
  const all = sentences.filter(({ form }) => form !== 'code');
  if (all.length > MAX_SENTENCES) return null;
  if (asked.figure !== null && !isAboutFigure(asked, source)) return null;
  let text: readonly Word[] | undefined;
  const around = (): readonly Word[] => (text ??= plainAnalysis.words(source.text, source.lang));
  const about = all.flatMap((sentence) =>
    clausesOf(sentence.text).flatMap((clause, i) => {
      if (i > 0 && SUBORDINATE.test(clause)) return [];
      const said = statementOf(clause, asked, headings, around, source);
      return said === null ? [] : [{ sentence, ...said }];
    }),
  );
  const denials = about.filter(({ denies }) => denies);
  const [denial] = denials;
  if (denial === undefined || denials.some(({ sentence }) => sentence !== denial.sentence)) return null;
  if (about.some(({ denies, share }) => !denies && share >= denial.share)) return null;
  const { lead, text: said } = denial.sentence;
  const isLed = lead === null || leadsInOnly(sentences[lead]!.text, source, asked, headings);
  return isLed && standsAlone(denial.sentence, asked) ? said : null;
}

/** The word for the items of a list in its lead-in (`folgende Elemente`), and words that name no case. */
const ITS_ITEMS = /(?<!\p{L})(?:folgende[nrsm]?|following)\s+\p{L}+/giu;
const OF_LEAD_INS =
  /^(?:beacht\p{L}*|betroffen|bitte|hinweis\p{L}*|wichtig\p{L}*|arbeit\p{L}*|affected|things?|rules?|notes?|remember|important|please|keep|mind)$/iu;

/** Whether a lead-in, or a heading before it, neither limits its items to a case nor reverses their meaning. */
function leadsInOnly(
  text: string,
  { title, lang }: Source,
  { words }: Asked,
  headings: readonly Word[],
): boolean {
  if (text === title) return true;
  return (
    negations(text) === 0 &&
    !FORBIDS.test(text) &&
    limitsIn(text).length === 0 &&
    plainAnalysis
      .words(text.replace(ITS_ITEMS, ''), lang)
      .every((word) => OF_LEAD_INS.test(word.text) || isOfCase(word, text, lang, [], words, headings))
  );
}

/** The end of a heading that says for which case it applies. */
const CASE =
  /(?<!\p{L})(?:bei|beim|im|in|während|für|mit|ohne|unter|ab|nach|during|for|with|without|under|at|after)\s.*$/iu;

/**
 * Whether the figures of a source may contradict the figure of a question: its heading is about the question's subject,
 * and it does not contain the figure itself, which may then belong to the case that is meant.
 */
function isAboutFigure({ words, figure }: Asked, { text, lang, title }: Source): boolean {
  const own = plainAnalysis.words(title, lang);
  const isAsked = (word: Word): boolean => words.some((each) => isSame(each.word, word));
  const isOfSubject =
    own.some(({ term }) => term === figure!.unit) ||
    words.some(({ word, weight }) => weight > 0 && isAmong(own, word));
  const ofACase = plainAnalysis.words(CASE.exec(title)?.[0] ?? '', lang);
  const { figures, bare } = statedIn(text, lang);
  return (
    isOfSubject &&
    ofACase.every(isAsked) &&
    !bare.includes(figure!.value) &&
    figures.every((each) => isOther(figure!, each) !== false)
  );
}

/** A content word of the question, with its weight. */
interface AskedWord {
  readonly word: Word;
  readonly weight: number;
}

interface Asked {
  readonly question: string;
  readonly words: readonly AskedWord[];
  /** The only figure of the question, if it has one. */
  readonly figure: Figure | null;
  /** The years and dates in the question. */
  readonly times: readonly string[];
  readonly may: boolean;
}

/** The statement in a yes-or-no question; `null` for other questions, and for those with a negation. */
function readQuestion(question: string, language: Language): Asked | null {
  const clauses = clausesOf(question);
  if (
    !TAG.test(question) &&
    !SURELY.test(question) &&
    !clauses.some((clause) => ASKS_WHETHER[language].test(clause))
  )
    return null;
  if (ASKS_WHAT.test(question)) return null;
  if (negations(question) > 0 || FORBIDS.test(question)) return null;
  const { figures, bare, times } = statedIn(question, language);
  if (figures.length + bare.length > 1 || bare.length > 0) return null;
  const [figure = null] = figures;
  if (figure !== null && !isPredicate(figure, question)) return null;
  const words = plainAnalysis
    .words(question.replace(TAG, ''), language)
    .filter(({ text }) => !times.some((time) => time.includes(text)))
    .filter((word) => figure === null || !isWithin(word, figure))
    .map((word) => ({
      word,
      weight: ASKS_ONLY.test(word.text) || ALLOWED.test(word.text) ? 0 : tellingOf(word.folded, language),
    }));
  if (words.length > MAX_WORDS) return null;
  return words.every(({ weight }) => weight === 0)
    ? null
    : { question, words, figure, times, may: MAY.test(question) };
}

/** Words that compare a figure with another one, which may be larger or smaller. */
const COMPARES = /(?<!\p{L})(?:zu|genug|reich\p{L}*|ausreich\p{L}*|too|enough|suffic\p{L}*)(?!\p{L})/iu;
/** Words that make a figure a case (`nach 6 Monaten`). */
const OF_A_CASE =
  /(?<!\p{L})(?:nach|mit|seit|vor|bei|in|innerhalb|binnen|an|ab|bis|um|von|für|zum?|after|with|for|within|by|before|since|of|at)\s+$/iu;

/** Words of a deadline, which is then the thing that the question is about. */
const DEADLINE = /(?<!\p{L})(?:innerhalb|binnen|within)(?:\s+(?:von|of))?(?:\s+\p{L}+)?\s+$/iu;

const isDeadline = ({ start }: Pick<Figure, 'start'>, text: string): boolean =>
  DEADLINE.test(text.slice(0, start));

/** Whether a figure is what a question asks about, and not a case, a wish, or one side of a comparison. */
const isPredicate = ({ start }: Figure, question: string): boolean =>
  (!OF_A_CASE.test(question.slice(0, start)) || isDeadline({ start }, question)) &&
  !MAY.test(question) &&
  !COMPARES.test(question) &&
  limitsIn(question).length === 0;

/** The most letters of a word's ending. */
const ENDING = 3;

/**
 * Whether a word of the text is a form of a word of the question. The beginning of a compound (`Haus` of `Haustiere`)
 * is another word.
 */
function isSame(asked: Word, said: Word): boolean {
  const isBeginning =
    asked.folded.startsWith(said.term) &&
    asked.folded.length > said.term.length + ENDING &&
    asked.term !== said.term;
  return !isBeginning && similarity(asked, said) >= ALIKE;
}

/** What holds instead of the denied thing (`nicht hier, sondern nur dort`). */
const INSTEAD = /(?<=(?<!\p{L})(?:nicht|kein\p{L}*|not)(?!\p{L})[^.;:!?]*),?\s+(?:sondern|but)\s[^.;:!?]*/iu;
/** Another name of the thing before it (`Textdokumente (Writer)`). */
const IN_BRACKETS = /\s*\([^()\p{N}]*\)/gu;

const clausesOf = (text: string): readonly string[] =>
  text
    .replace(INSTEAD, '')
    .replaceAll(IN_BRACKETS, '')
    .split(CLAUSE)
    .flatMap((clause) => (clause.trim() === '' ? [] : [clause.trim()]));

const isAmong = (said: readonly Word[], asked: Word): boolean => said.some((word) => isSame(asked, word));

/**
 * Whether a clause denies the question, and the share of the question's words that it contains; `null` if it is about
 * something else.
 */
function statementOf(
  clause: string,
  { question, words, figure, times, may }: Asked,
  headings: readonly Word[],
  around: () => readonly Word[],
  { lang, year }: Source,
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
    const { figures, bare, times: stated } = statedIn(clause, lang);
    const others = figures.map((each) => isOther(figure, each));
    if (others.length === 0 || bare.length > 0) return null;
    const isAnother =
      others.every((other) => other === true) && new Set(figures.map(({ value }) => value)).size === 1;
    const isSameCase =
      isAnother &&
      isSameTime(times, stated, year) &&
      (!isDeadline(figure, question) || isDeadline(figures[0]!, clause)) &&
      own.every((word) => isOfCase(word, clause, lang, figures, words, headings));
    return { denies: isSameCase, share };
  }
  if (denied === 0) return isAbout(underHeadings) ? { denies: false, share } : null;
  if (denied > 1 || (may && DUTY.test(clause))) return null;
  if (!statedIn(clause, lang).times.every((time) => isKnownTime(time, times, year))) return null;
  // The denial is more general than the question: all its words are in the question. The question's other words must
  // then be around it in the text.
  const deniesMore = own.every(
    (word) => ALLOWED.test(word.text) || words.some((each) => isSame(each.word, word)),
  );
  const found = deniesMore
    ? words.filter((each) => underHeadings.includes(each) || isAmong(around(), each.word))
    : underHeadings;
  if (!own.every((word) => isOfCase(word, clause, lang, [], words, headings))) return null;
  const isOver = STILL.test(question) && clause.search(NO_LONGER) !== -1;
  return isAbout(found, isOver ? SAME_OF_THEN : SAME) ? { denies: true, share } : null;
}

const isWithin = ({ start, end }: Word, figure: Figure): boolean => start < figure.end && end > figure.start;

/** Verbs that assign a figure to a thing, and words that make a statement hold for all cases. */
const STATES =
  /^(?:betr[aä]g\p{L}*|dauer[tn]|gelten|gilt|kost\p{L}*|läuft|laufen|umfass\p{L}*|liegt?|innerhalb|binnen|within|zahl\p{L}*|gewähr\p{L}*|last\p{L}*|amounts?|costs?|takes?|jährlich|insgesamt|derzeit|currently|total|all\p{L}{0,2}|jed\p{L}*|gesamt\p{L}*|generell|every|any|entire)$/iu;
/** From this weight on a word may name a case of its own (`in der Probezeit`, `verkürzt`). */
const NAMES_A_CASE = 0.6;
/** Words for the beginning of a period, which name no case. */
const FROM_THEN =
  /^\s*(?:nach|seit|after|from|of)(?:\s+(?!(?:bei|beim|für|im|in|mit|ohne|for|with|without|under|at)(?!\p{L}))\p{L}+){1,4}/iu;

/**
 * Whether a statement with this word is still about the question's case. A word that the question does not contain may
 * name another case.
 */
function isOfCase(
  word: Word,
  clause: string,
  lang: Language,
  figures: readonly Figure[],
  asked: readonly AskedWord[],
  headings: readonly Word[],
): boolean {
  const { text, start, end, folded } = word;
  const isVerbLast = /^\p{Ll}/u.test(text) && /^[\s.!]*$/u.test(clause.slice(end)) && lang === 'de';
  if (
    /^\p{N}/u.test(text) ||
    STATES.test(text) ||
    ALLOWED.test(text) ||
    FORBIDS.test(text) ||
    isVerbLast ||
    tellingOf(folded, lang) < NAMES_A_CASE
  )
    return true;
  if (asked.some((each) => isSame(each.word, word)) || isAmong(headings, word)) return true;
  return figures.some(
    (figure) =>
      isWithin(word, figure) ||
      (start >= figure.end &&
        end <= figure.end + (FROM_THEN.exec(clause.slice(figure.end))?.[0].length ?? 0)),
  );
}

const isKnownTime = (time: string, times: readonly string[], year: number | null): boolean =>
  times.includes(time) || time === String(year);

/** Whether a statement holds for the time in the question. */
const isSameTime = (asked: readonly string[], stated: readonly string[], year: number | null): boolean =>
  stated.every((time) => isKnownTime(time, asked, year)) &&
  asked.every((time) => isKnownTime(time, stated, year));

const weightOf = (words: readonly AskedWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

const limitsIn = (text: string): string[] =>
  [...text.matchAll(LIMITS_THE_CASE)].map(([word]) => word.toLowerCase());

/** Whether a sentence denies something by itself and without conditions. */
function standsAlone({ text, lead, form }: Sentence, { question }: Asked): boolean {
  const isItem = form === 'item' || lead !== null;
  if (form === 'row' || (isItem && !/[.!]$/u.test(text))) return false;
  if (pointsBack(text) || text.endsWith(':') || text.endsWith('?')) return false;
  const asked = limitsIn(question);
  return limitsIn(text.replaceAll(NO_LONGER, '').replace(INSTEAD, '')).every((word) =>
    asked.some((other) => other.startsWith(word)),
  );
}
