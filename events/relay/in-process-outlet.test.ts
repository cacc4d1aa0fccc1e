import { InProcessBus } from '../bus/in-process.ts';
import { outletContract, type Received } from './contract.suite.ts';
import { createInProcessOutlet } from './in-process-outlet.ts';
import type { PublishedEvent } from './event-message.ts';

outletContract('in process', async (store) => {
  const broker = new InProcessBus();
  const bus = broker.connect((error) => {
    throw error;
  });
  const outlet = createInProcessOutlet(bus, store);
  const got: Received[] = [];
  const waiting = new Set<() => void>();
  bus.subscribe('beleg.v1.evt.>', ({ subject, headers, data }) => {
    const event = JSON.parse(Buffer.from(data).toString()) as PublishedEvent;
    got.push({ subject, headers, event });
    for (const wake of waiting) wake();
  });
  return {
    open: async () => outlet,
    received: (n) =>
      new Promise((resolve) => {
        const wake = () => {
          if (got.length < n) return;
          waiting.delete(wake);
          resolve(got.slice(0, n));
        };
        waiting.add(wake);
        wake();
      }),
    all: async () => [...got],
    close: () => bus.drain(),
  };
});
