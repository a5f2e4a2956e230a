import { HEADER_GETTER } from '../messages/message-headers.js';
import { ALONE, type Beginning, beginningAfter, beginningOf } from '../tracing/beginning.js';
import type { IncomingTrace, Tracing } from '../tracing/tracing.js';

/**
 * The context in which the span of a job begins. With a link, the trace that added the job has ended; its
 * baggage is taken over all the same.
 *
 * @param headers the headers stored in the job when it was added; undefined if there are none.
 */
// Why: docs/decisions/0290
export function beginningOfJob(
  tracing: Tracing,
  jobs: IncomingTrace,
  headers: object | undefined,
): Beginning {
  if (headers === undefined) return ALONE;
  return jobs === 'link'
    ? beginningAfter(tracing.received(headers, HEADER_GETTER))
    : beginningOf(tracing, jobs, headers, HEADER_GETTER);
}
