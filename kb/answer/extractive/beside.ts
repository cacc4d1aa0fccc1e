import type { Hit } from '../../hit.ts';
import { BESIDE } from './weights.ts';
import { BESIDE_SIGNS } from './signs.ts';

type Sign = (typeof BESIDE_SIGNS)[number];

/** Words that join two things in one question: `Abfindung und Freigrenze`, `vor oder nach der Geburt`. */
const JOINED = /\b(?:und|sowie|bzw|oder|and|or)\b/iu;
/** Replaces a likelihood of 0, so that its logarithm is finite. */
const NONE = 0.01;

/** The features of a further passage. Both hits must have a match. `place` is the rank among the other hits, from 0. */
export function besideVectorOf(question: string, other: Hit, first: Hit, place: number): number[] {
  const [match, best] = [other.match!, first.match!];
  const signs: Record<Sign, number> = {
    against: Math.log((match.share + NONE) / (best.share + NONE)),
    letters: match.features.letters,
    titleNear: match.features.nearTitle,
    work: Number(other.source.work === first.source.work),
    language: Number(other.source.lang === first.source.lang),
    place,
    joined: Number(JOINED.test(question)),
  };
  return BESIDE_SIGNS.map((name) => signs[name]);
}

/** The probability that it is right to quote a further passage beside the first one, 0 … 1. */
export function besideOf(question: string, other: Hit, first: Hit, place: number): number {
  const vector = besideVectorOf(question, other, first, place);
  const sum = BESIDE_SIGNS.reduce((all, name, k) => all + BESIDE[name] * vector[k]!, BESIDE.bias);
  return 1 / (1 + Math.exp(-sum));
}
