import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Flag, OnFlag, OptionalFile, whole, wholeOrNull } from '../foundation/settings-fields.ts';

/** The settings for what is recorded, how long it stays readable, and how it is proven. */
export const AuditVariables = {
  PV_AUDIT_ENABLED: Flag.meta({
    description: 'record questions, answers, ratings and comments',
    default: '`false`; `npm start` and `npm run service` set `true`',
  }),
  PV_AUDIT_DB_PATH: z
    .string()
    .optional()
    .meta({ description: 'file of the audit tables', default: '`DATA_DIR/audit.db`' }),
  PV_AUDIT_STDOUT: Flag.describe('print each event as a line `AUDIT {…}`, with readable text'),
  PV_AUDIT_LOG_CONTENT: OnFlag.describe('`false`: store and print no free text, except comments'),
  PV_AUDIT_RETENTION_DAYS: wholeOrNull(0, 36_500).meta({
    description: 'erase free text that is older than this many days',
    default: 'text is not erased',
  }),
  AUDIT_SIGNING_KEY: OptionalFile.transform((file) => file ?? null).meta({
    description: 'PEM file of the Ed25519 key that signs checkpoints',
    default: 'not signed',
  }),
  AUDIT_CHECKPOINT_FILE: z.string().optional().meta({
    description: 'file with a copy of each checkpoint, one per line',
    default: '`DATA_DIR/checkpoints.jsonl`',
  }),
  AUDIT_CHECKPOINT_EVERY: whole(1, 2_000, 1_000).describe(
    'number of new events after which a checkpoint is made',
  ),
};

export type AuditSettings = ReturnType<typeof readAuditSettings>;

export function readAuditSettings(variables: z.output<z.ZodObject<typeof AuditVariables>>, dataDir: string) {
  return {
    enabled: variables.PV_AUDIT_ENABLED,
    dbPath: resolve(variables.PV_AUDIT_DB_PATH ?? join(dataDir, 'audit.db')),
    /** Whether the file has its default name, so that nobody else keeps anything in it. */
    isOwnDb: variables.PV_AUDIT_DB_PATH === undefined,
    stdout: variables.PV_AUDIT_STDOUT,
    /** If false, free text is written to no store and no log. */
    logContent: variables.PV_AUDIT_LOG_CONTENT,
    /** The age in days at which text is erased; `null` if it is kept. */
    retentionDays: variables.PV_AUDIT_RETENTION_DAYS,
    /** PEM file (PKCS #8) of the Ed25519 key that signs checkpoints; `null` if they are not signed. */
    signingKey: variables.AUDIT_SIGNING_KEY,
    /**
     * The file for checkpoints outside the record. It should be on another disk, so that an intruder who can change the
     * record cannot change this file.
     */
    checkpointFile: resolve(variables.AUDIT_CHECKPOINT_FILE ?? join(dataDir, 'checkpoints.jsonl')),
    /** The number of events after which a checkpoint is due. */
    checkpointEvery: variables.AUDIT_CHECKPOINT_EVERY,
  };
}
