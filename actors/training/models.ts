import type { DraftOf, ModelsEvent } from '../../events/catalog/catalog.ts';

type ModelsEventDraft = DraftOf<ModelsEvent>;

/** Weights on disk, identified by the hash of their content. */
interface WeightsRef {
  readonly weights: string;
  /** The run that trained the weights; `null` if no run did. */
  readonly run: string | null;
}

/** The state of the stream `models`. */
export interface ModelsState {
  /** The runs, oldest first. */
  readonly runs: readonly string[];
  /** The newest run whose weights were put to use at its end. */
  readonly adopted: string | null;
  /** The weights in use; `null` for the initial ones. */
  readonly inUse: (WeightsRef & { readonly cause: 'trained' | 'loaded' }) | null;
  readonly saved: WeightsRef | null;
}

export type ModelsCommand =
  | { readonly type: 'open-run'; readonly run: string }
  | { readonly type: 'adopt-trained'; readonly weights: string; readonly run: string }
  | ({ readonly type: 'use-loaded' } & WeightsRef)
  | ({ readonly type: 'note-saved' } & WeightsRef);

export const initialState = (): ModelsState => ({ runs: [], adopted: null, inUse: null, saved: null });

/** Applies an event. */
export function evolve(state: ModelsState, event: ModelsEvent | ModelsEventDraft): ModelsState {
  switch (event.type) {
    case 'TrainingRunOpened':
      return { ...state, runs: [...state.runs, event.data.run] };
    case 'ModelPutToUse': {
      const { weights, run, cause } = event.data;
      return {
        ...state,
        inUse: { weights, run, cause },
        adopted: cause === 'trained' ? run : state.adopted,
      };
    }
    case 'ModelSaved':
      return { ...state, saved: event.data };
  }
}

/** Decides on a command. Gives no events if the command changes nothing. */
export function decide(command: ModelsCommand, state: ModelsState): readonly ModelsEventDraft[] {
  switch (command.type) {
    case 'open-run':
      return state.runs.includes(command.run)
        ? []
        : [{ type: 'TrainingRunOpened', data: { run: command.run } }];
    case 'adopt-trained': {
      const { weights, run } = command;
      return state.adopted === run
        ? []
        : [{ type: 'ModelPutToUse', data: { weights, run, cause: 'trained' } }];
    }
    case 'use-loaded': {
      const { weights, run } = command;
      return isSame(state.inUse, command) && state.inUse?.cause === 'loaded'
        ? []
        : [{ type: 'ModelPutToUse', data: { weights, run, cause: 'loaded' } }];
    }
    case 'note-saved': {
      const { weights, run } = command;
      return isSame(state.saved, command) ? [] : [{ type: 'ModelSaved', data: { weights, run } }];
    }
  }
}

function isSame(one: WeightsRef | null, other: WeightsRef): boolean {
  return one?.weights === other.weights && one.run === other.run;
}
