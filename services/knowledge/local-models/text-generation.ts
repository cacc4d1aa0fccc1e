import type { PreTrainedTokenizer, StoppingCriteria, Tensor } from '@xenova/transformers';
import { locateModel, type ModelOptions } from '../../../kb/locate-model.ts';
import { Prompt } from './messages.ts';
import { TaskFault, type Task } from './task.ts';

/** The most tokens of a reply. */
const MAX_NEW_TOKENS = 1_000;
/** The fewest tokens into which a reply fits. */
const MIN_NEW_TOKENS = 64;

interface Config {
  readonly max_position_embeddings?: number;
  readonly n_positions?: number;
}

/**
 * A causal language model. It decodes greedily, without penalties for repetition because it must quote word for word,
 * and stops after one JSON object. A prompt that is too long is a fault, because a cut one would have another meaning.
 */
export async function openGeneration(options: ModelOptions): Promise<Task> {
  const { transformers, id, options: kind, name } = await locateModel(options);
  const { AutoModelForCausalLM, AutoTokenizer } = transformers;
  const tokenizer = await AutoTokenizer.from_pretrained(id);
  const model = await AutoModelForCausalLM.from_pretrained(id, kind);
  const { max_position_embeddings, n_positions } = model.config as unknown as Config;
  const room = max_position_embeddings ?? n_positions ?? Number.POSITIVE_INFINITY;
  const textOf = (ids: readonly bigint[]): string =>
    tokenizer.decode([...ids], { skip_special_tokens: true, clean_up_tokenization_spaces: false });
  return {
    facts: { name, labels: [] },
    async run(input, isCancelled) {
      const inputs = encode(tokenizer, Prompt.parse(input));
      const asked = inputs.input_ids.dims[1]!;
      const left = Math.min(MAX_NEW_TOKENS, room - asked);
      if (left < MIN_NEW_TOKENS) throw new TaskFault('PromptTooLong');
      const isOver = ([ids = []]: readonly (readonly bigint[])[]): boolean[] => [
        isCancelled() || (textOf(ids.slice(-1)).includes('}') && holdsObject(textOf(ids.slice(asked)))),
      ];
      const sequences: unknown = await model.generate({
        ...inputs,
        max_new_tokens: left,
        do_sample: false,
        repetition_penalty: 1,
        no_repeat_ngram_size: 0,
        // The library only calls this object, so a function is enough.
        stopping_criteria: [isOver] as unknown as StoppingCriteria[],
      });
      const [ids = []] = (sequences as Tensor).tolist() as bigint[][];
      return textOf(ids.slice(asked));
    },
  };
}

type Encoded = Readonly<Record<string, Tensor>> & { readonly input_ids: Tensor };

function encode(tokenizer: PreTrainedTokenizer, prompt: Prompt): Encoded {
  const system = disarm(prompt.system, tokenizer.all_special_tokens);
  const user = disarm(prompt.user, tokenizer.all_special_tokens);
  const encoded: unknown =
    tokenizer.chat_template === null
      ? tokenizer(`${system}\n\n${user}\n\n`)
      : tokenizer(chatOf(tokenizer, system, user), { add_special_tokens: false });
  return encoded as Encoded;
}

/** Makes the chat with the model's own template. Some templates have no system message. */
function chatOf(tokenizer: PreTrainedTokenizer, system: string, user: string): string {
  // The reply must not include the model's thinking; templates without that option ignore it.
  const options = { tokenize: false, add_generation_prompt: true, enable_thinking: false } as const;
  const apply = (messages: { role: string; content: string }[]): string =>
    tokenizer.apply_chat_template(messages, options);
  try {
    return apply([
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]);
  } catch {
    return apply([{ role: 'user', content: `${system}\n\n${user}` }]);
  }
}

/** Changes the marks of the model's template in a text, so that no text can end its part of the chat. */
export function disarm(text: string, marks: readonly string[]): string {
  return marks
    .filter((mark) => mark.length > 1)
    .reduce((safe, mark) => safe.replaceAll(mark, `${mark.slice(0, 1)} ${mark.slice(1)}`), text);
}

function holdsObject(text: string): boolean {
  try {
    // The text of the last token may continue after the object.
    JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    return true;
  } catch {
    return false;
  }
}
