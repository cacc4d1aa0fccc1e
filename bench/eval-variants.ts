/** A way to type the same question otherwise. */
export interface Variant {
  readonly name: string;
  readonly apply: (question: string) => string;
}

export const VARIANTS: readonly Variant[] = [
  { name: 'umlauts as ae, oe, ue', apply: spelledOut },
  { name: 'lower case', apply: (question) => question.toLowerCase() },
  { name: 'a typo in each long word', apply: withTypos },
];

function spelledOut(question: string): string {
  const spelled: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };
  return question.replaceAll(/[äöüÄÖÜß]/gu, (letter) => spelled[letter]!);
}

/** In each word of more than six letters two neighbours change places; where is decided by the word alone. */
function withTypos(question: string): string {
  return question.replaceAll(/\p{L}{7,}/gu, (word) => {
    const at = 1 + (hashOf(word) % (word.length - 3));
    return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  });
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
