/** Formats of figures on the terminal and in the report. */
export const amount = (value: number, decimals = 2): string =>
  withoutSign(
    value.toLocaleString('en-US', {
      minimumFractionDigits: decimals === 2 ? 2 : 0,
      maximumFractionDigits: decimals,
    }),
  );
export const percent = (value: number | null): string => (value === null ? '–' : `${amount(value * 100)} %`);
export const ratio = (value: number | null): string => (value === null ? '–' : withoutSign(value.toFixed(2)));

/** What is rounded to 0 has no sign. */
const withoutSign = (text: string): string => (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
