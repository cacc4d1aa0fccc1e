import { InvalidArgumentError, type Command } from 'commander';
import { DAY_MS } from '../../events/dates.ts';
import type { Point } from './audit/stream-point.ts';
import { sayHow } from './say-how.ts';

/** Milliseconds of a unit in which people say how long ago something was. */
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
 * A date, or a time, as ISO 8601 in UTC with milliseconds. One without a zone is of UTC, as everything on record is,
 * wherever the command runs. Or so long before now: `90s`, `15m`, `1h`, `7d`, `2w`.
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

/** A day, as `YYYY-MM-DD`. */
export function parseDay(text: string): string {
  if (text.length !== '2020-01-31'.length || absolute(text) === undefined) {
    throw new InvalidArgumentError('must be a date like 2020-01-31');
  }
  return text;
}

/** A revision, or a date or time. */
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

/** A time before the command was given. A time before the year 1 does not count. */
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
  // `Date` takes the 30th of February for the 2nd of March.
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(day)) return undefined;
  const moment = new Date(time === undefined || zone !== undefined ? text : `${text}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Adds commands to one, each with what it does. */
export const commandsOf =
  (parent: Command) =>
  (name: string, does: string): Command =>
    sayingHow(parent.command(name).description(does));

/** Makes a command print its usage below an error. */
export const sayingHow = (command: Command): Command =>
  command.configureOutput({ outputError: (error, write) => write(error + sayHow(command, error)) });

/** A command's action, loaded when it is called: nobody waits for what the other commands need. */
export const loaded =
  (load: () => Promise<(...given: never[]) => Promise<void>>) =>
  async (...given: unknown[]): Promise<void> =>
    (await load())(...(given as never[]));
