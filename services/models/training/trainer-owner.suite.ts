// A service that may be killed, with a trainer: prints the process id of the trainer once it trains.
import { pino } from 'pino';
import { forkedTrainer } from './forked-trainer.ts';
import type { TrainingJob } from './trainer-port.ts';

let trainer = 0;
const logger = pino(
  {},
  { write: (line) => (trainer = (JSON.parse(line) as { trainer_pid: number }).trainer_pid) },
);
forkedTrainer({ logger }).start(JSON.parse(process.argv[2]!) as TrainingJob, {
  prepared: () => undefined,
  progress: () => undefined,
  epoch: ({ epoch }) => epoch === 1 && process.send?.(trainer),
});
