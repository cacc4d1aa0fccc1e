import type { MODELS, TRAINING } from '../../actors/streams/models.ts';
import type { ModelSettings } from './settings.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';
import type { WriterOf } from '../foundation/streams/writer.ts';
import type { WritersOf } from '../foundation/streams/writers.ts';
import type { ModelFiles } from './model-files.ts';
import type { TrainerPort } from './training/trainer-port.ts';

/** What every part of the model service needs while this process holds the lease. */
export interface ModelParts extends Omit<ServiceParts, 'leases'> {
  readonly settings: ModelSettings;
  readonly trainer: TrainerPort;
  readonly models: WriterOf<typeof MODELS>;
  readonly records: WritersOf<typeof TRAINING>;
  readonly files: ModelFiles;
  /** Called if this process cannot continue: another holder has written, or the record is inconsistent. */
  readonly giveUp: () => void;
}
