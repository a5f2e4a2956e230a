import { systemClock } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { BackupKeeper } from './backup-keeper.js';
import { BackupNames } from './backup-name.js';
import { planRotation } from './rotation.js';

describe('the old files of a log', () => {
  it('whose folder is gone are reported as an error, each time, and stop nothing', async () => {
    const errors: string[] = [];
    const keeper = new BackupKeeper(new BackupNames('/no/such/folder/app.log', false), {
      plan: planRotation({ maxBackups: 1 }),
      mode: 0o600,
      clock: systemClock,
      onError: ({ message }) => void errors.push(message),
    });
    for (const _round of [1, 2]) {
      keeper.start();
      await keeper.idle();
    }
    expect(errors).toEqual(
      Array(2).fill(
        expect.stringMatching(/^logx: cannot clean up old files in \/no\/such\/folder: ENOENT/),
      ),
    );
  });
});
