import type { Application, ServiceName } from '../application.ts';
import { VERSION } from '../operator/version.ts';

/** What a service says of itself, by name: numbers and flags become gauges, the rest is for people. */
export interface Figures {
  readonly [name: string]: number | boolean | string | null | Figures;
}

export type Phase = 'starting' | 'running' | 'stopping';

/** The body of `GET /ready`. */
export interface ProcessStatus {
  /** Work can be sent here. */
  readonly ready: boolean;
  readonly phase: Phase;
  readonly service: ServiceName;
  /** Of this process among its kind; `null` while it starts. */
  readonly instance: string | null;
  readonly version: string;
  readonly bus: { readonly state: string; readonly in_flight: number } | null;
  /** What this process alone does at present. One without any may well be ready: it stands by. */
  readonly leases: readonly string[];
  readonly figures: Figures;
}

/** What the status is read from; an `Application` is one. */
export type Observed = Pick<Application, 'runtime'> & {
  readonly knowledge: object | null;
  readonly audit: object | null;
};

/** The status of a process that runs one service. */
export function readStatus(service: ServiceName, phase: Phase, application: Observed | null): ProcessStatus {
  const figures = application === null ? {} : figuresOf(application);
  const bus = application?.runtime.bus.status();
  return {
    ready: phase === 'running' && bus?.state === 'connected' && figures['ready'] !== false,
    phase,
    service,
    instance: application?.runtime.instance ?? null,
    version: VERSION,
    bus: bus === undefined ? null : { state: bus.state, in_flight: bus.inFlight },
    leases: application === null ? [] : leasesOf(application.runtime),
    figures,
  };
}

/** A process that decides and records stands on more than the bus. */
function leasesOf(runtime: object): readonly string[] {
  return 'leases' in runtime ? (runtime.leases as { held(): string[] }).held() : [];
}

function figuresOf({ knowledge, audit }: Observed): Figures {
  return { ...reportOf(knowledge), ...reportOf(audit) };
}

/** The gateway keeps nothing: what it could say of itself is the state of the bus. */
function reportOf(service: object | null): Figures {
  if (service === null || !('status' in service)) return {};
  return (service as { status(): Figures }).status();
}
