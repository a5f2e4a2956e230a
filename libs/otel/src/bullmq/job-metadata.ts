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
