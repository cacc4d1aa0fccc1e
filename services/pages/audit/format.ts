import { el } from '../dom.ts';
import { twoUnits } from '../two-units.ts';
import { copyButton } from '../knowledge/copy-button.ts';
import { language } from '../knowledge/page-language.ts';

/** Formats times in the local time zone; the title has the recorded one (UTC). */
function timeIn(options: Intl.DateTimeFormatOptions): (at: string) => HTMLElement {
  const format = new Intl.DateTimeFormat(language, options);
  return (at) => el('time', { dateTime: at, title: at }, format.format(new Date(at)));
}

export const time = timeIn({ dateStyle: 'medium', timeStyle: 'short' });
export const exactTime = timeIn({ dateStyle: 'medium', timeStyle: 'medium' });
export const day = timeIn({ dateStyle: 'medium' });
export const clock = timeIn({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

export const number = (value: number): string => value.toLocaleString(language);

/** A duration: `12 ms`, `1,25 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${number(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toLocaleString(language, { maximumFractionDigits: 2 })} s`;
  return twoUnits(ms / 1_000);
}

/** A long value by its beginning and end, with the whole value in its title, and a button to copy it. */
export function shortened(value: string, name: string): (HTMLElement | null)[] {
  const short = value.length <= 20 ? value : `${value.slice(0, 10)}…${value.slice(-6)}`;
  return [el('code', { title: value }, short), copyButton(value, name)];
}
