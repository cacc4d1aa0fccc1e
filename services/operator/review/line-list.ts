/** Numbers of rows in few words: `Zeile 2`, `Zeilen 2, 4–7`. */
export function sayLines(lines: readonly number[]): string {
  const parts: [from: number, to: number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else parts.push([line, line]);
  }
  const said = parts.map(([from, to]) =>
    from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`,
  );
  return `${lines.length === 1 ? 'Zeile' : 'Zeilen'} ${said.join(', ')}`;
}

/** The number of slips in German: `1 Abrechnung`, `30 Abrechnungen`. */
export const saySlips = (count: number): string => `${count} Abrechnung${count === 1 ? '' : 'en'}`;
