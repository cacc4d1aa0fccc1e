import { BelegError } from '../../events/errors.ts';
import type { EngineView } from './engine.ts';

const COMPARING = 'The account is being compared with the broker';
const READING_PRICES =
  'Prices and what the strategy has to know of the past are being read after a start or a takeover; the status names its state already';

/** The error for a caller just after a start or a takeover. It says what the account is waiting for. */
export const startingUp = (engine: Pick<EngineView, 'has'>): BelegError =>
  new BelegError('RECONCILING', {
    retryAfter: 1,
    detail: engine.has('reconciled') ? READING_PRICES : COMPARING,
  });
