import { STREAMS } from '../../actors/streams/streams.ts';

/** How often which fault hit which kind of stream. */
export class FaultLog {
  readonly counts = new Map<string, Map<string, number>>();

  hit(fault: string, kind: string): void {
    const kinds = this.counts.get(fault) ?? new Map<string, number>();
    this.counts.set(fault, kinds);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
}

/** `beleg.v1.cmd.feedback.comment` → `comments`: the kind of stream that a request is for, or reads. */
export function kindOfRequest(subject: string): string {
  const [context = '', verb = ''] = subject.split('.').slice(3);
  return VERBS[verb] ?? CONTEXTS[context] ?? 'other';
}

const VERBS: Readonly<Record<string, string>> = {
  ask: 'ask',
  rate: 'ask',
  comment: 'comments',
  erase: 'erasures',
  checkpoint: 'checkpoints',
  save: 'models',
  load: 'models',
};
const CONTEXTS: Readonly<Record<string, string>> = {
  knowledge: 'knowledge-index',
  trading: 'account',
  market: 'market',
  models: 'training',
};

const kinds = new Map<string, string>();

/** `ask-r1` → `ask`. */
export function kindOfStream(stream: string): string {
  let kind = kinds.get(stream);
  if (kind === undefined) {
    kind = STREAMS.find((definition) => definition.matches(stream))?.kind ?? stream;
    kinds.set(stream, kind);
  }
  return kind;
}
