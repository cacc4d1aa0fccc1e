import type { Logger } from 'pino';
import { failureLevel } from './late.ts';
import type { ProjectionOptions } from '../../events/projections/projection.ts';

/** Logs the state of a projection's tables. `giveUp` ends the part that needs the tables, which then begins again. */
export const tablesLog = (
  logger: Logger,
  name: string,
  giveUp: () => void,
): Required<
  Pick<ProjectionOptions, 'onVanished' | 'onDamaged' | 'onLostPlace' | 'onSetAside' | 'onState'>
> => ({
  onLostPlace: (place) =>
    logger.error(
      { place },
      `the ${name} tables are of another record, or ahead of this one, so they are rebuilt: see that this is the record that is meant`,
    ),
  onVanished() {
    logger.error(
      `the file of the ${name} tables, its log or one of its tables was removed or replaced, so they are built anew`,
    );
    giveUp();
  },
  onDamaged: (error) =>
    logger.error(
      { err: error },
      `the file of the ${name} tables is damaged: it is removed, and they are built anew from the record`,
    ),
  onSetAside(error) {
    const { id, type, stream, position } = error.event;
    logger.error(
      { event: id, type, stream, position, err: error },
      `an event cannot be applied to the ${name} tables and was set aside; \`beleg audit projections rebuild ${name}\` tries it again`,
    );
  },
  onState({ state, error }) {
    if (error === undefined) logger.debug({ state }, `state of the ${name} tables`);
    else logger[failureLevel(error)]({ state, err: error }, `state of the ${name} tables`);
  },
});
