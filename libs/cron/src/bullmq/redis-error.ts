import { thrownText } from '@apix/contracts';
import { CronError } from '../errors.js';

const UNREACHABLE =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE|isn't writeable|Connection is closed|no connection/;

/** What went wrong between the replicas, for the operator. */
export function redisError(job: string, cause: unknown): CronError {
  if (cause instanceof CronError) return cause;
  const text = textOf(cause);
  const message = UNREACHABLE.test(text)
    ? `Redis is unreachable, and no replica runs the job until it is reachable again: ${text}`
    : `Redis: ${text}`;
  return new CronError(`cron: job ${job}: ${message}`, { cause });
}

/** A refused connection to several addresses has no message. */
function textOf(error: unknown): string {
  const causes = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  return [...new Set(causes.map(thrownText))].join(', ');
}
