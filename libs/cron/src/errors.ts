/** A mistake in how a job is described; the message names the job or the expression. */
export class CronError extends Error {
  override readonly name = 'CronError';
}
