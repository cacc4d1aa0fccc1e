import { InvalidArgumentError, type Command } from 'commander';
import { DAY_MS } from '../../events/dates.ts';
import type { Point } from './audit/stream-point.ts';
import { sayHow } from './say-how.ts';

/** The milliseconds of the units in which people write a duration. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const FIRST_YEAR = Date.parse('0001-01-01');
const AGO = /^(\d{1,6})([smhdw])$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Reads a date or a time as ISO 8601 in UTC with milliseconds. Without a zone it is UTC, like everything on record,
 * wherever the command runs. A duration is a time before now: `90s`, `15m`, `1h`, `7d`, `2w`.
 */
export function parseMoment(text: string): string {
  const moment = momentOf(text);
  if (moment === undefined) {
    throw new InvalidArgumentError(
      'must be a date or a time like 2026-01-31 or 2026-01-31T08:00:00Z, or how long ago, like 15m, 1h or 7d',
    );
  }
  return moment;
}

/** Reads a day as `YYYY-MM-DD`. */
export function parseDay(text: string): string {
  if (text.length !== '2020-01-31'.length || absolute(text) === undefined) {
    throw new InvalidArgumentError('must be a date like 2020-01-31');
  }
  return text;
}

/** Reads a revision, or a date or time. */
export function parsePoint(text: string): Point {
  if (/^\d{1,15}$/.test(text)) return { revision: BigInt(text) };
  const time = momentOf(text);
  if (time === undefined) {
    throw new InvalidArgumentError(
      'must be a revision, a time like 2026-01-31T08:00:00Z, or how long ago, like 1h',
    );
  }
  return { time };
}

function momentOf(text: string): string | undefined {
  return ago(text) ?? absolute(text);
}

/** Reads a duration as a time before now. A time before the year 1 is not valid. */
function ago(text: string): string | undefined {
  const [, number, unit] = AGO.exec(text) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  const moment = new Date(Date.now() - Number(number) * UNITS[unit]!);
  return moment.getTime() > FIRST_YEAR ? moment.toISOString() : undefined;
}

function absolute(text: string): string | undefined {
  const [, day, time, , , zone] = MOMENT.exec(text) ?? [];
  if (day === undefined) return undefined;
  const start = new Date(`${day}T00:00Z`);
  // `Date` would read the 30th of February as the 2nd of March.
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(day)) return undefined;
  const moment = new Date(time === undefined || zone !== undefined ? text : `${text}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Adds commands to a parent, each with its action. */
export const commandsOf =
  (parent: Command) =>
  (name: string, does: string): Command =>
    sayingHow(parent.command(name).description(does));

/** Makes a command print its usage below an error. */
export const sayingHow = (command: Command): Command =>
  command.configureOutput({ outputError: (error, write) => write(error + sayHow(command, error)) });

/** The action of a command. It is imported when it is called, so that no command waits for the modules of others. */
export const loaded =
  (load: () => Promise<(...given: never[]) => Promise<void>>) =>
  async (...given: unknown[]): Promise<void> =>
    (await load())(...(given as never[]));
