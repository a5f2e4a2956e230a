import { HEADER_GETTER } from '../messages/message-headers.js';
import { ALONE, type Beginning, beginningAfter, beginningOf } from '../tracing/beginning.js';
import type { IncomingTrace, Tracing } from '../tracing/tracing.js';

/**
 * What the span of a job begins with. As a link, what has added the job is one that is over: the baggage comes with
 * the job all the same.
 *
 * @param headers what was put into the job when it was added; undefined for nothing.
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
