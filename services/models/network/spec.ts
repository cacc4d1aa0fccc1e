import { z } from 'zod';

/** What the network predicts, in the order of its outputs. */
export const OUTPUTS = ['return', 'volatility'] as const;

/** The shape of a network. Weights fit one spec only. */
export const NetworkSpec = z
  .strictObject({
    /** The number of features of a day. */
    features: z.int().min(1).max(64),
    /** The days of a window. */
    sequence_length: z.int().min(4).max(512),
    hidden_channels: z.int().min(8).max(512),
    num_heads: z.int().min(1).max(16),
    layers: z.int().min(1).max(8),
    /** The share that dropout drops in training, 0 … 0.9; inference drops nothing. */
    dropout: z.number().min(0).max(0.9),
  })
  .refine(({ hidden_channels, num_heads }) => hidden_channels % num_heads === 0, {
    message: 'hidden_channels must be a multiple of num_heads',
    path: ['hidden_channels'],
  });
export type NetworkSpec = z.output<typeof NetworkSpec>;

/** How a network is trained. */
export const TrainingSettings = z.strictObject({
  batch_size: z.int().min(1).max(1024),
  epochs: z.int().min(1).max(1000),
  /** The highest learning rate, after the warm-up. */
  learning_rate: z.number().positive().max(1),
  /** The seed of the initial weights, the order of windows and the dropout: the same seed and data give the same weights. */
  seed: z.int().min(0).max(999_999_999),
});
export type TrainingSettings = z.output<typeof TrainingSettings>;
