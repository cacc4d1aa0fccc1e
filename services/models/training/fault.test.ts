import { expect, test } from 'vitest';
import { SafetensorsError } from '../weights/safetensors.ts';
import { faultOf } from './fault.ts';
import { TrainingFailure } from './trainer-port.ts';

const disk = Object.assign(new Error("ENOSPC: no space left on device, write '/srv/x'"), {
  code: 'ENOSPC',
  syscall: 'write',
});

test.each([
  [new TrainingFailure('DATA_CHANGED', 'other data'), 'DATA_CHANGED', 'other data'],
  [disk, 'DISK_FAILED', 'The folder of the training cannot be read or written (ENOSPC)'],
  [new SafetensorsError('no header'), 'DISK_FAILED', 'The bars of the training cannot be read: no header'],
  [
    new RangeError('Array buffer allocation failed'),
    'OUT_OF_MEMORY',
    'There is not enough memory for the network and its batches',
  ],
  [new TypeError('x is not a function at /srv/x.ts'), 'INTERNAL', 'The training process failed'],
  ['thrown', 'INTERNAL', 'The training process failed'],
])('%s', (error, fault, detail) => expect(faultOf(error)).toEqual({ fault, detail }));
