/** The health of all services, as a gateway reports it. */
export interface Health {
  readonly status: string;
  readonly index: { readonly files: { readonly left_out: number } };
  readonly model: { readonly state: string };
  readonly audit: {
    readonly ready: boolean;
    readonly keys_missing: number | null;
    readonly set_aside: number;
    readonly spooled: number;
    readonly lost: number;
  };
  readonly followers: readonly {
    readonly name: string;
    readonly events: number;
    readonly behind: boolean;
    readonly fault?: string;
  }[];
}

/**
 * Whether everything has recovered. Lost keys never do: health then stays `degraded`, but must have no other reason.
 */
export function isWell(health: Health, { keysTakenAt }: { readonly keysTakenAt: number | null }): boolean {
  const { status, index, model, audit, followers } = health;
  if (audit.spooled > 0 || followers.some(({ events }) => events > 0)) return false;
  if (status === 'ok') return true;
  return (
    status === 'degraded' &&
    keysTakenAt !== null &&
    (audit.keys_missing ?? 0) > 0 &&
    audit.ready &&
    audit.set_aside === 0 &&
    audit.lost === 0 &&
    model.state === 'ready' &&
    index.files.left_out === 0 &&
    !followers.some(({ behind, fault }) => behind || fault !== undefined)
  );
}
