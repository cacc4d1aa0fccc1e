/** What was typed, to be pasted again. */
export function commandLine(): string {
  const words = process.argv
    .slice(2)
    .map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return ['npx beleg', ...words].join(' ');
}
