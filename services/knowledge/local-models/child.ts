import { fork, type ChildProcess } from 'node:child_process';
import { FromModel, type ToModel } from './messages.ts';

/** What a process needs to find its libraries. Settings and keys of the service are not among it. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
  'SystemRoot',
];

export interface Child {
  /** `undefined` where it could not be started. */
  readonly pid: number | undefined;
  /** Lost where the process has ended: then its end says so. */
  send(message: ToModel): void;
  kill(): void;
}

/**
 * Starts the process of a model. What it says that cannot be understood ends it.
 *
 * @param ended Told once, with the signal or the exit code, or why it could not be started; never before this returns
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
      env: environment(),
      // What the library prints may hold anything; what matters is said in messages.
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
  // One that could not be started has no end to tell of.
  child.on('error', ({ message }) => child.pid === undefined && ended(message));
  return {
    pid: child.pid,
    send: (message) => child.connected && child.send(message, () => undefined),
    kill,
  };
}

/** ONNX Runtime reports to its makers unless this is set before it is loaded. */
function environment(): NodeJS.ProcessEnv {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), ORT_DISABLE_TELEMETRY: '1' };
}
