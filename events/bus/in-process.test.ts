import { busContract } from './contract.suite.ts';
import { InProcessBus } from './in-process.ts';

busContract('in process', async () => {
  const broker = new InProcessBus();
  const handlerErrors: unknown[] = [];
  const connect = () => broker.connect((error) => handlerErrors.push(error));
  return {
    a: connect(),
    b: connect(),
    handlerErrors,
    settle: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    close: async () => {},
  };
});
