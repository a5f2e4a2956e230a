import { Code, StatusError, deadlineAfter, httpStatusOf, parseDuration } from '@apix/contracts';

export function quickStart(): void {
  const deadline = deadlineAfter(parseDuration('1m30s'));
  console.log(deadline.signal.aborted, Math.ceil(deadline.remainingMs() / 1_000));
  deadline.dispose();

  const error = new StatusError(Code.PERMISSION_DENIED, 'not yours', { cause: 'order of ada' });
  console.log(error.status, httpStatusOf(error.code), error.message);
}
