/** Formats of figures on the terminal and in the report. */
export const amount = (value: number, decimals = 2): string => withoutSign(formatOf(decimals).format(value));
export const percent = (value: number | null): string => (value === null ? '–' : `${amount(value * 100)} %`);
export const ratio = (value: number | null): string => (value === null ? '–' : withoutSign(value.toFixed(2)));

/**
 * Formats by their number of decimals. To make a format takes thirty times as long as to use it, and a large report has
 * 400,000 amounts.
 */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(decimals: number): Intl.NumberFormat {
  let format = formats.get(decimals);
  if (format === undefined) {
    const least = decimals === 2 ? 2 : 0;
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: least,
      maximumFractionDigits: decimals,
    });
    formats.set(decimals, format);
  }
  return format;
}

/** The text without a minus if it is rounded to 0. */
const withoutSign = (text: string): string => (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
