/** How often which fault hit which kind of stream. */
export class FaultLog {
  readonly counts = new Map<string, Map<string, number>>();

  hit(fault: string, kind: string): void {
    const kinds = this.counts.get(fault) ?? new Map<string, number>();
    this.counts.set(fault, kinds);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
}

/** `ask-r1` → `ask`. */
export function kindOfStream(stream: string): string {
  return stream.replace(/^(ask|account|paper-broker|training|market)-.*$/u, '$1');
}
