import type { ChaosReport } from './chaos.ts';

/** The most faults that are named. */
const MOST_NAMED = 40;

/** The result of a run, for people. */
export function tableOf(report: ChaosReport): string {
  const { seed, rows, okWhileWaiting, faults, happened, outcomes } = report;
  const lines = [
    line(['acknowledged', '', 'not on record', 'doubled', 'out of order']),
    ...rows.map(({ what, acknowledged, missing, doubled, outOfOrder }) =>
      line([what, acknowledged, missing, doubled, outOfOrder]),
    ),
    `health said ok while an answer waited or was lost: ${okWhileWaiting} times`,
    '',
    `requests: ${Object.entries(outcomes)
      .map(([what, count]) => `${what} × ${count}`)
      .join(', ')}`,
    `faults made: ${Object.entries(happened)
      .map(([what, count]) => `${what} × ${count}`)
      .join(', ')}`,
    `seed ${seed}: ${faults.length === 0 ? 'all is well' : `${faults.length} faults`}`,
    ...faults.slice(0, MOST_NAMED).map((fault) => `  ${fault}`),
  ];
  if (faults.length > MOST_NAMED) lines.push(`  … and ${faults.length - MOST_NAMED} more`);
  return lines.join('\n');
}

const line = ([what, ...cells]: readonly (string | number)[]): string =>
  String(what).padEnd(36) + cells.map((cell) => String(cell).padStart(14)).join('');
