import type { z } from 'zod';
import type { StoryMachine as MachineSchema } from '../../../events/messages/audit.ts';
import { draw, type AnyLifecycle, type Drawing } from '../../../actors/lifecycle.ts';

/** The path that a request, an order or a run takes through its machine, event by event. */
export class Walk {
  readonly #lifecycle: AnyLifecycle;
  readonly #drawing: () => Drawing;
  readonly #taken = new Map<string, number>();
  readonly #path: string[];

  constructor(lifecycle: AnyLifecycle, drawing: () => Drawing = () => draw(lifecycle)) {
    this.#lifecycle = lifecycle;
    this.#drawing = drawing;
    this.#path = [lifecycle.initial];
  }

  get state(): string {
    return this.#path.at(-1)!;
  }

  /** Whether no event can follow. */
  get hasEnded(): boolean {
    return this.#lifecycle.hasEnded(this.state);
  }

  /** The state after an event; `null` if no transition has this event, and the state stays. */
  take(event: string, to: string | undefined = this.#lifecycle.table[this.state]?.[event]): string | null {
    if (to === undefined) return null;
    const key = keyOf({ from: this.state, event, to });
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    if (to !== this.state) this.#path.push(to);
    return to;
  }

  toMachine(): StoryMachine {
    const { name, initial, states, transitions } = this.#drawing();
    return {
      name,
      initial,
      states: [...states],
      transitions: transitions.map((way) => ({ ...way, taken: this.#taken.get(keyOf(way)) ?? 0 })),
      path: this.#path,
    };
  }
}

const keyOf = ({ from, event, to }: { from: string; event: string; to: string }): string =>
  `${from} ${event} ${to}`;

export type StoryMachine = z.output<typeof MachineSchema>;
