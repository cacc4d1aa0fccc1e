import { BelegError } from '../../events/errors.ts';

export const corrupt = (detail: string): BelegError => new BelegError('STREAM_CORRUPT', { detail });
