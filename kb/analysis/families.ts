import type { Language } from '../source.ts';

/**
 * The words of a question that ask for a quantity, and the nouns with which a text names this quantity (`Wie hoch …`:
 * `§ 1 Höhe`).
 */
const QUANTITIES: Readonly<
  Record<Language, readonly (readonly [asked: RegExp, nouns: readonly string[]])[]>
> = {
  de: [
    [/(?<=(?<!\p{L})wie )hoch(?!\p{L})/iu, ['Höhe']],
    [/(?<=(?<!\p{L})wie )lange?(?!\p{L})/iu, ['Dauer']],
    [/(?<=(?<!\p{L})wie )viele(?!\p{L})/iu, ['Anzahl', 'Zahl']],
    [/(?<=(?<!\p{L})wie )alt(?!\p{L})/iu, ['Alter']],
    [/(?<=(?<!\p{L})wie )groß(?!\p{L})/iu, ['Größe']],
    [/(?<=(?<!\p{L})was )kostet(?!\p{L})|(?<=(?<!\p{L})wie )teuer(?!\p{L})/iu, ['Preis', 'Kosten', 'Gebühr']],
  ],
  en: [
    [/(?<=(?<!\p{L})how )long(?!\p{L})/iu, ['duration', 'length']],
    [/(?<=(?<!\p{L})how )many(?!\p{L})/iu, ['number']],
    [/(?<=(?<!\p{L})how )much(?!\p{L})/iu, ['amount', 'rate']],
    [/(?<=(?<!\p{L})how )old(?!\p{L})/iu, ['age']],
  ],
};

/** The words of a question that ask for a quantity, each with its start and with the nouns for this quantity. */
export const quantitiesAsked = (
  question: string,
  language: Language,
): { readonly start: number; readonly nouns: readonly string[] }[] =>
  QUANTITIES[language].flatMap(([asked, nouns]) => {
    const found = asked.exec(question);
    return found === null ? [] : [{ start: found.index, nouns }];
  });
