import { isBelegError } from '../../events/errors.ts';
import type { Generator } from './ports.ts';

/** Has `second` write where `first` cannot be reached; drafts say who wrote them. */
export function withFallback(first: Generator, second: Generator): Generator {
  return {
    get name() {
      return first.name;
    },
    get ready() {
      return first.ready || second.ready;
    },
    ...(first.plan === undefined ? {} : { plan: first.plan.bind(first) }),
    async generate(input, signal) {
      try {
        return await first.generate(input, signal);
      } catch (error) {
        if (!isBelegError(error, 'MODEL_UNAVAILABLE')) throw error;
        const draft = await second.generate(input, signal);
        return draft === null ? null : { ...draft, writer: second.name };
      }
    },
  };
}
