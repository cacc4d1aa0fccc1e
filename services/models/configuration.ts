import type { z } from 'zod';
import type { ModelStatusReply } from '../../events/messages/models.ts';
import type { ModelSettings } from '../config-trading.ts';
import { MODEL_FEATURES } from './data/features.ts';

type Configured = Pick<
  z.output<typeof ModelStatusReply>,
  | 'model_name'
  | 'hidden_channels'
  | 'num_heads'
  | 'layers'
  | 'batch_size'
  | 'epochs'
  | 'sequence_length'
  | 'dropout'
  | 'learning_rate'
  | 'seed'
  | 'features'
  | 'mixed_precision'
  | 'precision'
>;

/** What the status says of the model whatever has happened to it. */
export function configuredModel({ spec, training }: Pick<ModelSettings, 'spec' | 'training'>): Configured {
  const { hidden_channels, num_heads, layers, sequence_length, dropout } = spec;
  return {
    model_name: 'beleg-transformer',
    hidden_channels,
    num_heads,
    layers,
    sequence_length,
    dropout,
    ...training,
    features: [...MODEL_FEATURES],
    mixed_precision: false,
    precision: 'float32',
  };
}
