// A language model that answers at once, with the first sentence of the best source. Forked by `ask-model.ts`.
import { startScriptedServer } from '../services/knowledge/model-server/scripted-server.suite.ts';

const server = await startScriptedServer(({ sources }) => {
  const { alias, text } = sources[0] ?? { alias: 'S1', text: '' };
  const quote = /^.*?[.!?](?=\s|$)/su.exec(text)?.[0] ?? text;
  return { say: { sufficient: true, claims: [{ text: quote, quote, source: alias }], question_back: null } };
});
process.once('disconnect', () => void server.close());
process.send!(server.url);
