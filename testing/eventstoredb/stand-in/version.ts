import { z } from 'zod';

/** The servers that the stand-in can be, where they differ: 23.10.6 and 24.10.4 were looked at. */
export const VERSIONS = ['23.10', '24.10'] as const;
export type Version = (typeof VERSIONS)[number];

/** The one that Compose names, unless `EVENTSTORE_STAND_IN` says otherwise: so a suite is run against each. */
export const versionToBe = (): Version =>
  z.enum(VERSIONS).default('24.10').parse(process.env['EVENTSTORE_STAND_IN']);
