import type { Logger } from 'pino';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
import { withFallback } from '../../actors/ask/fallback.ts';
import { createModelGenerator } from '../../actors/ask/model/generator.ts';
import type { Generator } from '../../actors/ask/ports.ts';
import type { Settings } from '../config.ts';
import { openChatModel } from './model-server/chat.ts';

/** Who writes answers, by the settings: a language model on a server, or sources in their own words. */
export function createGenerator({ modelServer }: Pick<Settings, 'modelServer'>, logger: Logger): Generator {
  const extractive = createExtractiveGenerator();
  if (modelServer === null) return extractive;
  const model = createModelGenerator(openChatModel({ ...modelServer, logger }));
  return modelServer.fallback ? withFallback(model, extractive) : model;
}
