import { fork, type ChildProcess } from 'node:child_process';
import { onnxEnvironment } from '../../foundation/onnx-environment.ts';
import { FromModel, type ToModel } from './messages.ts';

export interface Child {
  /** `undefined` if the process could not be started. */
  readonly pid: number | undefined;
  /** Sends a message. It is lost if the process has ended, which `ended` reports. */
  send(message: ToModel): void;
  kill(): void;
}

/**
 * Starts the process of a model. A message that cannot be parsed ends the process.
 *
 * @param ended is called once, with the signal, the exit code, or why the process could not be started; never before
 * this function has returned.
 */
export function startChild(
  program: string,
  heard: (message: FromModel) => void,
  ended: (how: string) => void,
): Child {
  let child: ChildProcess;
  try {
    child = fork(program, [], {
      serialization: 'advanced',
      execArgv: [],
      env: onnxEnvironment(['NODE_COMPILE_CACHE']),
      // The library may print anything, so its output is dropped. All data comes in messages.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch (error) {
    queueMicrotask(() => ended((error as Error).message));
    return { pid: undefined, send: () => undefined, kill: () => undefined };
  }
  const kill = (): void => void child.kill('SIGKILL');
  child.on('message', (received) => {
    const message = FromModel.safeParse(received);
    if (message.success) heard(message.data);
    else kill();
  });
  child.once('exit', (code, signal) => ended(signal ?? `code ${code}`));
  // A process that could not be started emits no exit.
  child.on('error', ({ message }) => child.pid === undefined && ended(message));
  return {
    pid: child.pid,
    send: (message) => child.connected && child.send(message, () => undefined),
    kill,
  };
}
