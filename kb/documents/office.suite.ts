import { strToU8, zipSync } from 'fflate';

/** Makes a file of Word, Excel or PowerPoint from its parts. */
export function officeFile(main: string, parts: Readonly<Record<string, string>>): Uint8Array {
  const relationships = `<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="${main}"/></Relationships>`;
  return zipSync(
    Object.fromEntries(
      Object.entries({ '_rels/.rels': relationships, ...parts }).map(([name, text]) => [name, strToU8(text)]),
    ),
  );
}
