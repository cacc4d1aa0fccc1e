import { stringify } from 'csv-stringify/sync';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import { readSettings } from '../../composition/settings.ts';
import { writeNewFile } from '../new-file.ts';
import { printable } from '../terminal.ts';
import { keysFileOf, readPayroll } from './payroll-file.ts';

/**
 * `beleg review keys FILE`, for Excel in German: writes the known columns into a mapping to complete; uncertain ones
 * stay empty.
 */
export async function reviewKeys(file: string, options: { kb?: string }): Promise<void> {
  const { review: base } = await loadKnowledgeBase(options.kb ?? readSettings(process.env).kbPath);
  const { keys, left } = await readPayroll(file, base);
  const rows = [...keys, ...left.map((column) => [column, ''] as const)];
  const path = keysFileOf(file);
  await writeNewFile(path, stringify([['column', 'key'], ...rows], { delimiter: ';', bom: true }));
  console.log(printable(`${path}: ${keys.size} von ${rows.length} Spalten zugeordnet.`));
  if (left.length > 0) console.log(printable(`Nicht zugeordnet: ${left.join(', ')}.`));
}
