import { ListActors, type ActorList } from '../../events/messages/actors.ts';
import { stateAround } from '../../actors/state-text.ts';
import { BelegError } from '../../events/errors.ts';
import { readSettings } from '../composition/settings.ts';
import { isRecordHeld } from '../composition/runtime.ts';
import { toJson } from '../foundation/json.ts';
import { openLink } from './link.ts';
import { count } from './number-format.ts';
import { printable } from './terminal.ts';

/** `beleg actors`: the actors in the services, their states and since when, and what they wait for. */
export async function actors({ json }: { json?: true }): Promise<void> {
  const settings = readSettings(process.env);
  // If no service runs, this command would have to start one, which would have no actors yet.
  if (settings.distributed === null && !isRecordHeld(settings)) {
    throw new BelegError('SERVICE_UNAVAILABLE', { detail: `no service uses ${settings.dataDir}` });
  }
  await using link = await openLink(settings);
  const list = await link.call(ListActors, {});
  console.log(json === true ? toJson(list, 2) : formatActors(list));
}

/** A line for each actor, and below it one for each of its regions and of its children. */
export function formatActors({ processes, counts, actors }: ActorList): string {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const rows = actors.flatMap(({ process, kind, id, state, since, waits_for, regions, children }) => [
    regions.length === 0
      ? [kind, id, state, since, waits_for.join(', '), process]
      : [kind, id, stateAround(regions.map((region) => region.state)), since, '', process],
    ...regions.map((region) => ['', '', region.state, region.since, region.waits_for.join(', '), '']),
    ...children.map((child) => [
      '',
      `└ ${child.id}`,
      child.state,
      child.since ?? '',
      child.waits_for.join(', '),
      '',
    ]),
  ]);
  const table = [['KIND', 'ID', 'STATE', 'SINCE', 'WAITS FOR', 'PROCESS'], ...rows];
  const widths = table[0]!.map((_, i) => Math.max(...table.map((row) => row[i]!.length)));
  const lines = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  const left = all - actors.length;
  return [
    `${count(all, 'actor')} in ${processes} ${processes === 1 ? 'process' : 'processes'}`,
    ...(rows.length === 0 ? [] : ['', ...lines.map((line) => printable(line))]),
    ...(left === 0 ? [] : ['', `${left} more are not listed`]),
  ].join('\n');
}
