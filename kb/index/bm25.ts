/** BM25 (Robertson and Zaragoza, 2009): saturation of repeated terms, and normalisation by length. */
export const K1 = 1.2;
const B = 0.5;

/** An impact of 255 stands for `K1 + 1`, the highest value of a term. */
export const IMPACT_STEPS = 255;

/** The length normalisation of a passage. */
export const normOf = (length: number, usualLength: number): number =>
  K1 * (1 - B + (B * length) / usualLength);

/** The BM25 value of a term's frequency in a passage, as a whole number from 1 to `IMPACT_STEPS`. */
export const impactOf = (frequency: number, norm: number): number =>
  Math.max(1, Math.round((frequency / (frequency + norm)) * IMPACT_STEPS));
