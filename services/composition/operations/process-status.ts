import type { MessageBus } from '../../../events/bus/bus.ts';
import type { Leases } from '../../../events/leases/leases.ts';
import type { ServiceName } from '../service-names.ts';
import type { Application, Services } from '../running.ts';
import type { AuditStatus } from '../../audit/serve-audit.ts';
import { NO_FILES, type RecordFiles } from '../../foundation/files-in-place.ts';
import { canRecord, recordingTroubles } from '../../foundation/recording.ts';
import { VERSION } from '../../foundation/version.ts';
import type { BusRuntime } from '../runtime.ts';

/** A service's status by name: numbers and flags become gauges, the rest is for people. */
export interface Figures {
  readonly [name: string]: number | boolean | string | null | Figures;
}

export type Phase = 'starting' | 'running' | 'stopping';

/** The body of `GET /ready`. */
export interface ProcessStatus {
  /** Whether this process can take work. */
  readonly ready: boolean;
  /**
   * Everything that is wrong; empty if all is well. An entry is one of these: the name of a follower that is behind the
   * record (the service works, but the follower's data is old); the name of a file of the record that was removed or is
   * damaged, so that nothing is written to it; `record` if the record cannot be read; `spool` if events wait to be
   * recorded, `lost` if some were lost, `losing` if answers or orders cannot be recorded now.
   */
  readonly degraded: readonly string[];
  readonly phase: Phase;
  readonly service: ServiceName;
  /** The name of this process among those of its service; `null` while it starts. */
  readonly instance: string | null;
  readonly version: string;
  readonly bus: { readonly state: string; readonly in_flight: number } | null;
  /** The leases that this process holds. A process without leases may be ready as a standby. */
  readonly leases: readonly string[];
  readonly figures: Figures;
}

type Told = { readonly [Name in keyof Services]: Pick<NonNullable<Services[Name]>, 'status'> | null };

/** The parts from which the status is read; an `Application` has them. */
export interface Observed extends Told {
  readonly runtime: Pick<BusRuntime, 'instance'> & {
    readonly bus: Pick<MessageBus, 'status'>;
    /** Only a process that decides and records has leases. */
    readonly leases?: Pick<Leases, 'held'>;
    readonly recordFiles?: RecordFiles;
  };
  readonly watch?: Application['watch'];
}

/**
 * The status of a process. If it has several services, `port` names the one whose readiness counts: orders that cannot
 * be recorded do not keep questions from being answered.
 */
export function readStatus(
  service: ServiceName,
  phase: Phase,
  application: Observed | null,
  port?: 'knowledge' | 'trading',
): ProcessStatus {
  const bus = application?.runtime.bus.status();
  const audit = application?.audit?.status();
  const lags = application?.watch?.lags() ?? [];
  const knowledge = application?.knowledge?.status();
  const trading = application?.trading?.status();
  const losing = { knowledge: knowledge?.losing === true, trading: trading?.losing === true };
  const losesAny = losing.knowledge || losing.trading;
  const files = application?.runtime.recordFiles ?? NO_FILES;
  return {
    ready:
      phase === 'running' &&
      bus?.state === 'connected' &&
      audit?.projection?.state !== 'failed' &&
      canRecord({ losing: port === undefined ? losesAny : losing[port], files }),
    degraded: [
      ...(application?.watch?.degraded() ?? []),
      ...recordingTroubles({
        spooled: knowledge?.spools.waiting ?? 0,
        lost: knowledge?.spools.lost ?? 0,
        losing: losesAny,
        files,
        followers: lags,
      }),
    ],
    phase,
    service,
    instance: application?.runtime.instance ?? null,
    version: VERSION,
    bus: bus === undefined ? null : { state: bus.state, in_flight: bus.inFlight },
    leases: application?.runtime.leases?.held() ?? [],
    figures: {
      ...(knowledge && { ...knowledge, spools: { ...knowledge.spools } }),
      ...(audit && figuresOf(audit)),
      ...application?.market?.status(),
      ...application?.models?.status(),
      ...trading,
      ...(lags.length === 0
        ? {}
        : { followers: Object.fromEntries(lags.map(({ name, ...lag }) => [name, lag])) }),
    },
  };
}

/** The state as a number, because alarms cannot compare words. */
function figuresOf({ projection, checkpoints, ...figures }: AuditStatus): Figures {
  return {
    ...figures,
    checkpoints: checkpoints === null ? null : { ...checkpoints },
    projection: projection === null ? null : { ...projection, live: projection.state === 'live' },
  };
}
