// Tries to get the lock until it has it, says so, and holds it until it is killed.
import { AlreadyRunningError, acquireInstanceLock } from '@apix/hostx-os/single';

const path = process.argv[2]!;

function tryIt(): void {
  try {
    acquireInstanceLock(path);
    process.send!('held');
    setInterval(() => {}, 1_000_000);
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) throw error;
    setTimeout(tryIt, 1 + Math.random() * 4);
  }
}

process.once('disconnect', () => process.exit());
tryIt();
