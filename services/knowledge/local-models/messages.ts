import { z } from 'zod';

/** The task of a model. */
export const ModelTask = z.enum(['generation', 'pairs']);
export type ModelTask = z.output<typeof ModelTask>;

/** Messages to the process of a model. */
export const ToModel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('load'), task: ModelTask, model: z.string(), allowRemote: z.boolean() }),
  z.object({ kind: z.literal('run'), id: z.int(), input: z.unknown() }),
  /** The result of the running work is no longer needed. */
  z.object({ kind: z.literal('cancel'), id: z.int() }),
]);
export type ToModel = z.output<typeof ToModel>;

/** Facts about a model, reported once it is loaded. */
export const ModelFacts = z.object({
  name: z.string(),
  /** The names of a classifier's outputs, in order. */
  labels: z.array(z.string()),
});
export type ModelFacts = z.output<typeof ModelFacts>;

/** Messages from the process of a model. Only `output` may have text of a question; the others may be logged. */
export const FromModel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded'), facts: ModelFacts }),
  z.object({ kind: z.literal('unusable'), reason: z.string() }),
  z.object({ kind: z.literal('done'), id: z.int(), output: z.unknown() }),
  z.object({ kind: z.literal('failed'), id: z.int(), fault: z.string() }),
]);
export type FromModel = z.output<typeof FromModel>;

/** The prompt of a language model. */
export const Prompt = z.object({ system: z.string(), user: z.string() });
export type Prompt = z.output<typeof Prompt>;

/** Pairs of texts that are read together. */
export const Pairs = z.object({
  pairs: z.array(z.tuple([z.string(), z.string()])),
  /** Whether a pair that is too long for the model is left out instead of cut. */
  whole: z.boolean(),
});
export type Pairs = z.output<typeof Pairs>;

/** One number for each label of each pair; `null` for a pair that was left out. */
export const Logits = z.array(z.array(z.number()).nullable());
export type Logits = z.output<typeof Logits>;
