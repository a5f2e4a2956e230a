import { describe, expect, it } from '@jest/globals';
import { connectUncaught } from './process-host.js';

/** What is told of errors that nobody has caught, one after the other. */
function told(...errors: readonly unknown[]): string[] {
  const messages: string[] = [];
  const before = process.listeners('uncaughtException');
  const off = connectUncaught('report', {
    fail: () => {},
    report: ({ message }) => void messages.push(message),
  });
  // Jest has listeners of its own, to which an error would be that of the test.
  const own = process.listeners('uncaughtException').filter((one) => !before.includes(one));
  for (const error of errors)
    for (const listener of own) listener(error as Error, 'uncaughtException');
  off();
  expect(process.listeners('uncaughtException')).toEqual(before);
  return messages;
}

function failed(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}

describe('an error that nobody has caught', () => {
  it.each(['EPIPE', 'EIO'])(
    'is told once where the output is gone (%s), as telling writes to it',
    (code) => {
      const gone = failed('write', code);
      expect(told(gone, gone, failed('write', 'EPIPE'))).toEqual([
        `hostx: uncaught exception: write ${code}`,
      ]);
    },
  );

  it.each<[string, unknown]>([
    ['of another kind', new Error('boom')],
    ['of a disk', failed('write', 'ENOSPC')],
    ['of a connection that is read', failed('read', 'EIO')],
    ['that is a text', 'boom'],
  ])('%s is told each time', (_what, error) => {
    expect(told(error, error)).toHaveLength(2);
  });
});
