import type { z } from 'zod';
import { MakeCheckpoint, RecordStatus } from '../../../events/messages/audit.ts';
import { parseNote } from '../../../events/proof/signed-note.ts';
import { readSettings } from '../../composition/settings.ts';
import { grouped } from '../number-format.ts';
import { toJson } from '../../foundation/json.ts';
import { openLink } from '../link.ts';
import type { OperatorLink } from '../link/operator-link.ts';

type Made = z.output<typeof MakeCheckpoint.reply>;

/** `beleg audit checkpoint`: the present size of the record, with a checkpoint that the service makes. */
export async function checkpoint({ json }: { json?: true }): Promise<void> {
  await using link = await openLink(readSettings(process.env));
  console.log(await makeCheckpoint(link, { json: json === true }));
}

/** Makes a checkpoint and returns the output of the command. */
export async function makeCheckpoint(
  link: Pick<OperatorLink, 'call'>,
  { json }: { json: boolean },
): Promise<string> {
  const made = await link.call(MakeCheckpoint, {});
  // The note has only the name and id of the key; the service that signs knows the whole key.
  const { checkpoint: newest } = await link.call(RecordStatus, {});
  const key = newest?.size === made.size ? newest.key : signerOf(made.note);
  return json ? toJson({ ...made, key }, 2) : formatCheckpoint(made, key);
}

function signerOf(note: string): string | null {
  const [signature] = note === '' ? [] : parseNote(note).signatures;
  return signature === undefined ? null : `${signature.name}+${signature.keyId}`;
}

function formatCheckpoint({ size, root, note, repeated }: Made, key: string | null): string {
  if (size === 0) return 'The record is empty: there is nothing to make a checkpoint of yet.';
  return [
    `${grouped(size)} ${size === 1 ? 'event' : 'events'}${repeated ? ', no new events since the last checkpoint' : ''}`,
    '',
    `  root    ${root}`,
    `  key     ${key ?? 'none, because AUDIT_SIGNING_KEY is not set'}`,
    `  verify  beleg audit verify --expect ${size}:${root}`,
    '',
    note.trimEnd(),
  ].join('\n');
}
