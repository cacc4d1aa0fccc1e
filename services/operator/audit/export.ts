import { resolve } from 'node:path';
import { writeArchive } from '../../../events/proof/archive/write.ts';
import type { Manifest } from '../../../events/proof/archive/format.ts';
import type { Selection } from '../../../events/store/selection.ts';
import { loadSigningKey } from '../../audit/checkpoints/signing-key.ts';
import { readSettings, type Settings } from '../../composition/settings.ts';
import { openRecord } from '../../composition/runtime.ts';
import { count, grouped } from '../number-format.ts';
import { EXIT } from '../exit-codes.ts';
import { toJson } from '../../foundation/json.ts';
import { untilInterrupted } from '../feedback/interrupt.ts';
import { startProgressBar, type ProgressBar } from '../progress-bar.ts';

/** The words for the proof of an archive. */
export const PROOFS: Readonly<Record<Manifest['proof'], string>> = {
  log: 'contains all events up to the checkpoint',
  inclusion: 'proves the place of each event in the record, not that none is missing',
};

interface ExportArguments extends Selection {
  readonly out: string;
}

/**
 * `beleg audit export`: writes the events that the newest checkpoint covers into a folder that can be verified by
 * itself. Exits with 5 if nothing was selected, because an empty archive does not prove that there was nothing.
 */
export async function exportRecord({ json, ...options }: ExportArguments & { json?: true }): Promise<void> {
  await untilInterrupted(async (signal) => {
    using bar = startProgressBar('exporting');
    // A partly written export is removed.
    const manifest = await writeExport(options, process.env, (done, total) => {
      signal.throwIfAborted();
      bar.update(done, total);
    });
    bar.stop();
    console.log(json ? toJson(manifest, 2) : formatExport(manifest, options.out));
    if (manifest.events > 0) return;
    console.error('beleg: no event matches the selection up to the newest checkpoint');
    process.exitCode = EXIT.notFound;
  });
}

export async function writeExport(
  { out, ...selection }: ExportArguments,
  variables: NodeJS.ProcessEnv,
  onProgress: ProgressBar['update'] = () => undefined,
): Promise<Manifest> {
  const settings = readSettings(variables);
  await using record = await openRecord(settings);
  const publicKey = publicKeyOf(settings);
  return await writeArchive(record.store, { out: resolve(out), selection, publicKey, onProgress });
}

/** The public key, for information only: an export needs no key, and is made without it if it cannot be read. */
function publicKeyOf({ audit: { signingKey } }: Settings): string | null {
  try {
    return loadSigningKey(signingKey)?.line ?? null;
  } catch {
    return null;
  }
}

export function formatExport(manifest: Manifest, out: string): string {
  const { events, streams, checkpoint, newer_events: newer, proof, files } = manifest;
  const bytes = Object.values(files).reduce((sum, file) => sum + (file?.bytes ?? 0), 0);
  const lines = [
    `${out}: ${grouped(events)} events of ${grouped(streams)} streams, ${(bytes / 1e6).toFixed(1)} MB`,
    '',
    `  checkpoint  ${checkpoint.size}:${checkpoint.root}`,
    `  proof       ${PROOFS[proof]}`,
    `  verify      beleg audit verify --archive ${out}${checkpoint.public_key === null ? '' : ' --key FILE'}`,
  ];
  if (newer > 0) {
    lines.push(
      '',
      `${count(newer, 'newer event')} left out, because the checkpoint does not cover ${newer === 1 ? 'it' : 'them'} (make a new one first: beleg audit checkpoint)`,
    );
  }
  return lines.join('\n');
}
