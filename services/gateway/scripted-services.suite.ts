import type { z } from 'zod';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { serve, type CallContext, type RequestDefinition } from '../../events/messages/define.ts';

type Handler<D> =
  D extends RequestDefinition<infer Req, infer Rep>
    ? (request: z.output<Req>, context: CallContext) => Promise<z.input<Rep>> | z.input<Rep>
    : never;

/** The handlers of services by the names of their messages; a test replaces those that it is about, at any time. */
export type ScriptOf<Messages> = { [Name in keyof Messages]: Handler<Messages[Name]> };

/** Fake services on a bus of their own: each message is handled by the handler that the script has at that time. */
export function startScripted<Messages extends object>(
  messages: Messages,
  script: ScriptOf<Messages>,
  onAsked: (name: keyof Messages, request: unknown, context: CallContext) => void = () => undefined,
) {
  /** Errors that handlers threw and that no client may cause. */
  const faults: unknown[] = [];
  const broker = new InProcessBus();
  const connect = () => broker.connect((error) => faults.push(error));
  const services = connect();
  const served = (Object.keys(messages) as (keyof Messages)[]).map((name) => {
    // `ScriptOf` pairs each message with its handler, but the compiler loses that over a union.
    const definition = messages[name] as RequestDefinition<z.ZodType, z.ZodType>;
    const answer = async (request: unknown, { correlationId, callId }: CallContext) => {
      onAsked(name, request, { correlationId, callId });
      return (script[name] as Handler<typeof definition>)(request, { correlationId, callId });
    };
    const subscription = serve(services, definition, 'fake', answer, (error) => faults.push(error));
    return { context: definition.subject.split('.')[3], subscription };
  });
  return {
    /** The bus for the code under test. */
    bus: connect(),
    services,
    faults,
    /** Removes the responders of this service. */
    leave: async (context: string): Promise<void> => {
      for (const each of served) if (each.context === context) await each.subscription.unsubscribe();
    },
  };
}
