import { z } from 'zod';
import type { Source } from '../source.ts';
import { readYaml } from './yaml.ts';

const Text = z.string().trim().min(1).max(200);
const File = z
  .strictObject({
    /** `null` if the file has no title. The name of the folder is then shown. */
    title: Text.nullable().default(null),
    language: z.enum(['de', 'en']).default('de'),
    /** The month as of which the base's law is stated, `YYYY-MM`; `null` if the base does not say. */
    as_of: z
      .string()
      .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u, 'must be a year and month, YYYY-MM')
      .nullable()
      .default(null),
    /**
     * True if the texts of the base are law: answers then state the date of the law, and years in titles are years of
     * validity.
     */
    law: z.enum(['true', 'false']).optional(),
    /** The address of a document's original on the web, with `{path}`, or `{name}` for the path without its ending. */
    url: z
      .string()
      .regex(
        /^https?:\/\/\S*\{(?:path|name)\}\S*$/u,
        'must begin with http:// or https:// and have {path} or {name}',
      )
      .optional(),
    topics: z.array(Text).max(100).readonly().default([]),
    /** Suggested first questions. */
    questions: z.array(Text).max(20).readonly().default([]),
  })
  .refine(({ as_of, law }) => as_of === null || law !== 'false', {
    path: ['as_of'],
    message: 'is the month as of which its law stands, but law is false',
  })
  .transform(({ as_of: asOf, law, ...rest }) => ({
    ...rest,
    asOf,
    // A base that gives the date of its law is law.
    law: law === undefined ? (asOf === null ? null : true) : law === 'true',
  }));

/** The description of a base. */
export type AboutBase = z.output<typeof File>;

/**
 * Whether a source is law, so that it has years of validity and can be named by its §. If the base does not say, a
 * document is not law, and a file with front matter is.
 */
export const isOfLaw = (law: boolean | null, { units }: Pick<Source, 'units'>): boolean =>
  law ?? units === undefined;

/** The year of a base's law; `null` if the base does not say. */
export const lawYearOf = (about: AboutBase | null): number | null =>
  about === null || about.asOf === null ? null : Number(about.asOf.slice(0, 4));

/** Reads `base.yaml`; `undefined` if it is invalid, with every fault reported by line. */
export const parseAbout = (
  text: string,
  fault: (line: number, message: string) => void,
): AboutBase | undefined => readYaml(text, File, fault)?.data;
