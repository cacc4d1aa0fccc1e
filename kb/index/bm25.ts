/** BM25 (Robertson and Zaragoza, 2009): saturation of repeated terms, and normalisation by length. */
export const K1 = 1.2;
const B = 0.5;

/** An impact of 255 stands for `K1 + 1`, the most that a term can reach. */
export const IMPACT_STEPS = 255;

/** What the length of a passage takes from its terms. */
export const normOf = (length: number, usualLength: number): number =>
  K1 * (1 - B + (B * length) / usualLength);

/** What a term's frequency makes of its passage, in steps from 1. */
export const impactOf = (frequency: number, norm: number): number =>
  Math.max(1, Math.round((frequency / (frequency + norm)) * IMPACT_STEPS));
