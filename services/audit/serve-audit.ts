import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ASK, COMMENTS } from '../../actors/streams/knowledge.ts';
import { BelegError } from '../../events/errors.ts';
import { Erase, ListInteractions, RebuildAuditTables, ShowInteraction } from '../../events/messages/audit.ts';
import { AuditHealth, Comment, Rate } from '../../events/messages/feedback.ts';
import type { ProjectionStatus } from '../../events/projections/projection.ts';
import { startProjection, type ProjectionRunner } from '../../events/projections/runner.ts';
import { COMMENTS_STREAM } from '../../events/catalog/feedback.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import type { AuditSettings } from './settings.ts';
import { allBegun, whileHeld } from '../foundation/lease-holder.ts';
import { rebuildTables } from '../foundation/rebuild-tables.ts';
import { tablesLog } from '../foundation/tables-log.ts';
import type { Watch } from '../foundation/watch-followers.ts';
import { stateHashOf, type StateHashes } from '../foundation/streams/state-hashes.ts';
import type { WriterOf } from '../foundation/streams/writer.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import { loadSigningKey } from './checkpoints/signing-key.ts';
import { Responder } from '../foundation/responder.ts';
import { serveCheckpoints, type Checkpoints } from './checkpoints/serve-checkpoints.ts';
import { serveErasures, type Erasing } from './erasure/serve-erasures.ts';
import { DROPPED_WITHIN_MS, dropWhileStandingBy, markTables } from './erasure/standby-tables.ts';
import { comment, openComments, rate } from './feedback.ts';
import { serveInteractions } from './interactions/serve-interactions.ts';
import type { AuditLines } from '../foundation/audit-lines.ts';
import { watchKeys } from './missing-keys.ts';
import { auditProjection } from './projection.ts';
import { unlessItWaits } from './answer-in-spool.ts';
import { NO_FILES, type RecordFiles } from '../foundation/files-in-place.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

const QUEUE = 'audit';

export interface AuditServiceOptions extends ServiceParts {
  vault: Vault;
  asks: WritersOf<typeof ASK>;
  lines: AuditLines;
  /** The files of the record that this process itself writes. */
  recordFiles?: RecordFiles;
  /** Takes the followers of the record in this process, so that they are watched. */
  watch?: Pick<Watch, 'add'>;
  /** Whether other processes may keep audit tables, in files of their own. */
  hasOthers?: boolean;
  /** The settings `PV_AUDIT_…` and `AUDIT_…`. */
  settings: Omit<AuditSettings, 'stdout'>;
}

/**
 * Records ratings and comments, and keeps the audit tables up to date. Any process takes ratings; comments, the tables
 * and the checkpoints each belong to one process at a time. Checkpoints prove the whole record, so they are made even
 * if auditing is disabled.
 *
 * @throws {SettingsError} if the signing key cannot be used.
 */
export function serveAudit(options: AuditServiceOptions) {
  const key = loadSigningKey(options.settings.signingKey);
  const checkpoints = serveCheckpoints({ ...options, key });
  return options.settings.enabled ? serveEnabled(options, checkpoints) : serveDisabled(options, checkpoints);
}

export type AuditService = ReturnType<typeof serveEnabled>;
export type AuditStatus = ReturnType<AuditService['status']>;

function serveEnabled(options: AuditServiceOptions, checkpoints: Checkpoints) {
  const { bus, store, leases, settings } = options;
  let writer: WriterOf<typeof COMMENTS> | null = null;
  let projection: ProjectionRunner | null = null;
  let erasures: Erasing | null = null;

  new Responder(options, QUEUE).answer(Rate, (request, call) =>
    unlessItWaits(bus, call, () => rate(options, request, call)),
  );

  const comments = whileHeld(leases, 'comments', async () => {
    // Each term of the lease has a new writer, because the state of an earlier one may be outdated.
    const held = (writer = openComments(options));
    const requests = new Responder(options, QUEUE, 'comments');
    requests.answer(Comment, (request, call) =>
      unlessItWaits(bus, call, () => comment(options, held, request, call)),
    );
    return async () => {
      await requests.leave();
      // Requests also end when the lease is lost: each append expects an exact revision, so no id is given out twice.
      await requests.rest();
      await held.close();
      writer = null;
    };
  });

  // If this rejects, the lease is tried for again, so nothing of this term may stay open.
  const tables = whileHeld(leases, 'audit-projection', (giveUp) =>
    closingOnFailure(async (closers) => {
      const settled = Promise.withResolvers<void>();
      const runner = (projection = openProjection(options, settled.resolve, giveUp));
      const mark = markTables(settings.dbPath);
      closers.defer(async () => {
        await runner.stop();
        projection = null;
      });
      const unwatch = options.watch?.add('audit', runner.follower());
      closers.defer(() => unwatch?.());
      const common = { ...options, projection: runner, file: settings.dbPath };
      const erasing = (erasures = serveErasures({
        ...common,
        retentionDays: settings.retentionDays,
        othersDroppedAt: performance.now() + (options.hasOthers === true ? DROPPED_WITHIN_MS : 0),
      }));
      closers.defer(async () => {
        erasures = null;
        await erasing.end();
      });
      closers.defer(serveInteractions({ ...common, settled: settled.promise }));
      const keys = watchKeys(common);
      closers.defer(() => keys.end());
      const requests = new Responder(options, QUEUE, 'audit-projection');
      closers.defer(() => requests.leave());
      requests.answer(AuditHealth, async () => ({
        ...(await health(store, runner)),
        keys_missing: keys.missing,
        ...troubledFiles(options),
        tables: mark,
      }));
      requests.answer(RebuildAuditTables, () => rebuildTables(runner, store));
      return () => closers.disposeAsync();
    }),
  );

  const endStandby = dropWhileStandingBy({
    bus,
    file: settings.dbPath,
    isHolder: () => projection !== null,
    logger: options.logger,
  });

  return {
    /**
     * Resolves when this process runs all parts that only one process may run. A standby process serves without them.
     * Rejects if one of them could not begin.
     */
    allHeld: allBegun([comments, tables, checkpoints.part]),
    /** The state of the tables, if this process writes them. For tests and the operator. */
    get projection() {
      return projection;
    },
    /** The state for readiness and metrics; `null` for parts that another process runs. */
    status: () => ({
      enabled: settings.enabled,
      projection: projection && statusOf(projection),
      comments: writer === null ? null : { waiting: writer.waiting },
      checkpoints: checkpoints.status(),
    }),
    /** The hashes of the stream states that this process holds. */
    stateHashes: async (): Promise<StateHashes> => ({
      ...commentsHash(writer),
      ...(await erasures?.stateHashes()),
    }),
    /**
     * To be called before the bus is drained: finishes accepted work and gives the leases back, so that another process
     * takes over at once. Ratings are accepted until the bus is drained.
     */
    async leave(): Promise<void> {
      await endStandby();
      await comments.end();
      await tables.end();
      await checkpoints.part.end();
    },
  };
}

const troubledFiles = ({ recordFiles = NO_FILES }: AuditServiceOptions) => ({
  files_missing: [...recordFiles.missing],
  files_damaged: [...recordFiles.damaged],
});

/** Serves the requests while auditing is disabled. Answers and comments are not recorded, so any process may reply. */
function serveDisabled(options: AuditServiceOptions, checkpoints: Checkpoints): AuditService {
  const requests = new Responder(options, QUEUE);
  requests.answer(Rate, refuse);
  requests.answer(Comment, refuse);
  requests.answer(ListInteractions, refuseWork);
  requests.answer(ShowInteraction, refuseWork);
  requests.answer(Erase, refuseWork);
  requests.answer(RebuildAuditTables, refuseWork);
  requests.answer(AuditHealth, async () => ({
    enabled: false,
    ready: false,
    checkpoint: null,
    ...troubledFiles(options),
  }));
  return {
    allHeld: checkpoints.part.begun,
    projection: null,
    status: () => ({
      enabled: false,
      projection: null,
      comments: null,
      checkpoints: checkpoints.status(),
    }),
    stateHashes: () => Promise.resolve({}),
    leave: () => checkpoints.part.end(),
  };
}

/** The hash of this writer's comments; none before its first comment. */
function commentsHash(writer: WriterOf<typeof COMMENTS> | null): StateHashes {
  return writer === null || writer.revision === NO_STREAM ? {} : stateHashOf(COMMENTS_STREAM, writer.state);
}

const refuse = (): Promise<never> => Promise.reject(new BelegError('AUDIT_DISABLED'));

/** Rejects an operator's request about earlier records, because auditing is disabled, and says how to make it. */
const refuseWork = (): Promise<never> =>
  Promise.reject(
    new BelegError('AUDIT_DISABLED', {
      detail:
        'nothing was changed. Start the service with PV_AUDIT_ENABLED=true, or stop it and run the command again',
    }),
  );

function statusOf(runner: ProjectionRunner): Pick<ProjectionStatus, 'state' | 'position'> {
  const { state, position } = runner.status();
  return { state, position };
}

/** Opens the projection. `onSettled` is called when it has caught up with the record, or cannot for now. */
function openProjection(
  { store, codec, settings, logger }: AuditServiceOptions,
  onSettled: () => void,
  giveUp: () => void,
): ProjectionRunner {
  const { onState, ...tell } = tablesLog(logger, 'audit', giveUp);
  try {
    mkdirSync(dirname(settings.dbPath), { recursive: true, mode: 0o700 });
    return startProjection({
      store,
      codec,
      projection: auditProjection,
      file: settings.dbPath,
      isOwnFile: settings.isOwnDb,
      ...tell,
      onState(status) {
        onSettled();
        onState(status);
      },
    });
  } catch (cause) {
    // The tables could be built again, but a file that is not ours must not be overwritten.
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: 'the file named in PV_AUDIT_DB_PATH cannot be used',
      cause,
    });
  }
}

async function health(store: EventStore, projection: ProjectionRunner) {
  const { state, position, setAside } = projection.status();
  const writable = await store.ping().then(
    () => true,
    () => false,
  );
  return {
    enabled: true,
    ready: writable && (state === 'live' || state === 'catching-up'),
    checkpoint: position === '' ? null : position,
    set_aside: setAside,
  };
}
