/** The model that is trained here, its sizes and how it is trained: what training, inference and status all go by. */
export const MODEL = {
  model_name: 'beleg-tcn',
  amd_gpu: false,
  mixed_precision: false,
  precision: 'fp32',
  hidden_channels: 64,
  num_heads: 4,
  batch_size: 32,
  epochs: 10,
  sequence_length: 30,
  dropout: 0.1,
  learning_rate: 0.001,
} as const;
