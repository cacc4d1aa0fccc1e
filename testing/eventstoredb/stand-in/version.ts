import { z } from 'zod';

/** The versions of the server that the stand-in imitates where they differ; 23.10.6 and 24.10.4 were examined. */
export const VERSIONS = ['23.10', '24.10'] as const;
export type Version = (typeof VERSIONS)[number];

/** The version of the Compose file, unless `EVENTSTORE_STAND_IN` names another, so that suites can run with each. */
export const versionToBe = (): Version =>
  z.enum(VERSIONS).default('24.10').parse(process.env['EVENTSTORE_STAND_IN']);
