import { HEADER_GETTER } from '../messages/message-headers.js';
import {
  ALONE,
  type Beginning,
  beginningAfter,
  beginningOf,
  type IncomingTrace,
  type Tracing,
} from '../tracing/tracing.js';

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

/** The longest metadata that is read, in characters. */
const MAX_LENGTH = 16_384;

/**
 * The telemetry metadata stored in a job when it was added, with BullMQ 5 and 6; undefined if there is
 * none.
 */
export function metadataOf(job: unknown): object | undefined {
  const { opts } = (job ?? {}) as { readonly opts?: { readonly telemetry?: unknown } };
  const { metadata } = (opts?.telemetry ?? {}) as { readonly metadata?: unknown };
  return parsedMetadata(metadata);
}

/** The headers in metadata; undefined for other content: another program may have added the job. */
export function parsedMetadata(metadata: unknown): object | undefined {
  if (typeof metadata !== 'string' || metadata.length > MAX_LENGTH) return undefined;
  try {
    const headers: unknown = JSON.parse(metadata);
    return typeof headers === 'object' && headers !== null ? headers : undefined;
  } catch {
    return undefined;
  }
}
