/** A mistake in how a job is described; the message names the job or the expression. */
export class CronError extends Error {
  override readonly name = 'CronError';
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
