/** The command as it was typed, so that it can be pasted. */
export function commandLine(): string {
  const words = process.argv
    .slice(2)
    .map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return ['npx beleg', ...words].join(' ');
}
