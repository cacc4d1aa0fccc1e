import type { Span } from './figure.ts';
import { meet, monthAlone, spansIn } from './time-spans.ts';
import type { Quantity } from './vocabulary.ts';

/** The time of the slip: a span of months, or why there is none. */
export type SlipTime = Span | 'none' | 'contradiction';

/** The time of the slip, from the facts about it, the label and the question. */
export function slipTimeOf(
  facts: readonly { readonly quantity: Quantity | null; readonly written: string }[],
  label: string | undefined,
  question: string,
): SlipTime {
  const of = (key: string): typeof facts => facts.filter(({ quantity }) => quantity?.key === key);
  const years = of('abrechnungsjahr').flatMap(({ written }) => spansIn(written, true));
  const year = years[0]?.from?.slice(0, 4);
  const months = of('abrechnungsmonat').flatMap(({ written }) => {
    const spans = spansIn(written, true);
    const month = monthAlone(written);
    if (spans.length > 0 || month === null || year === undefined) return spans;
    const at = `${year}-${String(month).padStart(2, '0')}`;
    return [{ from: at, to: at }];
  });
  const first = of('abrechnung_von').flatMap(({ written }) => spansIn(written, true))[0];
  const last = of('abrechnung_bis').flatMap(({ written }) => spansIn(written, true))[0];
  const range =
    first === undefined && last === undefined
      ? []
      : [{ from: (first ?? last)!.from, to: (last ?? first)!.to }];
  const told = [...years, ...months, ...range, ...spansIn(label ?? '', false)];
  const asked = spansIn(question, false);
  const spans = [...told, ...asked];
  if (spans.length === 0) return 'none';
  return meet(spans) ?? 'contradiction';
}
