import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { Codec } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { serve } from '../../events/messages/define.ts';
import { AuditHealth, Comment, Rate } from '../../events/messages/feedback.ts';
import { startProjection, type ProjectionRunner } from '../../events/projections/runner.ts';
import type { EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { logFailure } from '../log-failure.ts';
import type { Turns } from '../../events/turns.ts';
import { CommentWriter } from './comments.ts';
import { comment, rate, type FeedbackOptions } from './feedback.ts';
import type { AuditLines } from './lines.ts';
import { auditProjection } from './projection.ts';

const QUEUE = 'audit';

export interface AuditServiceOptions {
  bus: MessageBus;
  store: EventStore;
  vault: Vault;
  codec: Codec;
  turns: Turns;
  lines: AuditLines;
  logger: Logger;
  /** What `PV_AUDIT_…` says. */
  settings: { enabled: boolean; dbPath: string; logContent: boolean };
  now: () => Date;
}

export interface AuditService {
  /** For tests and the operator: how far the tables are. */
  readonly projection: ProjectionRunner | null;
  /** After the bus is drained: finishes what is being written, then stops the projection. */
  close(): Promise<void>;
}

/** Ratings and comments into the record, and the record into the tables that people read. */
export function serveAudit(options: AuditServiceOptions): AuditService {
  const { bus, settings, logger } = options;
  const comments = new CommentWriter(options);
  const feedback: FeedbackOptions = { ...options, comments, redact: !settings.logContent };
  const projection = settings.enabled ? openProjection(options) : null;
  const onError = logFailure(logger);
  const assertEnabled = () => {
    if (!settings.enabled) throw new BelegError('AUDIT_DISABLED');
  };

  serve(
    bus,
    Rate,
    QUEUE,
    async (request, call) => {
      assertEnabled();
      return rate(feedback, request, call);
    },
    onError,
  );
  serve(
    bus,
    Comment,
    QUEUE,
    async (request, call) => {
      assertEnabled();
      return comment(feedback, request, call);
    },
    onError,
  );
  serve(bus, AuditHealth, QUEUE, async () => health(options.store, projection), onError);

  return {
    projection,
    async close() {
      await comments.close();
      await projection?.stop();
    },
  };
}

function openProjection({ store, codec, settings, logger }: AuditServiceOptions): ProjectionRunner {
  try {
    mkdirSync(dirname(settings.dbPath), { recursive: true, mode: 0o700 });
    return startProjection({
      store,
      codec,
      projection: auditProjection,
      file: settings.dbPath,
      onState: ({ state, error }) => {
        if (error === undefined) logger.debug({ state }, 'audit projection');
        else logger.error({ state, err: error }, 'audit projection');
      },
    });
  } catch (cause) {
    // It could be built again, but a file that is not ours is not ours to overwrite.
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: 'the file of PV_AUDIT_DB_PATH cannot be used',
      cause,
    });
  }
}

async function health(store: EventStore, projection: ProjectionRunner | null) {
  if (projection === null) return { enabled: false, ready: false, checkpoint: null };
  const { state, position } = projection.status();
  const writable = await store.ping().then(
    () => true,
    () => false,
  );
  return {
    enabled: true,
    ready: writable && (state === 'live' || state === 'catching-up'),
    checkpoint: position === '' ? null : position,
  };
}
