import { Code, type StatusDetail, isCode } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { decodeStatusDetails } from './decode-status.js';
import { encodeStatus, STATUS_DETAILS_KEY } from './encode-status.js';

/** A status on its way to a caller, whose metadata may carry details. */
export interface DetailedStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata | null;
}

/**
 * The status with other details in its metadata, which is not changed itself. Without details it is the same; if
 * `replace` throws, or the bytes are not details, none are left.
 */
export function withDetails<S extends DetailedStatus>(
  status: S,
  replace: (details: readonly StatusDetail[]) => readonly StatusDetail[],
): S {
  const given = status.metadata?.get(STATUS_DETAILS_KEY) ?? [];
  if (given.length === 0) return status;
  const metadata = status.metadata!.clone();
  metadata.remove(STATUS_DETAILS_KEY);
  const details = replacedIn(given, replace);
  if (details.length > 0) {
    const code = isCode(status.code) ? status.code : Code.UNKNOWN;
    metadata.set(STATUS_DETAILS_KEY, encodeStatus(code, status.details, details));
  }
  return { ...status, metadata };
}

function replacedIn(
  given: readonly unknown[],
  replace: (details: readonly StatusDetail[]) => readonly StatusDetail[],
): readonly StatusDetail[] {
  try {
    return replace(
      given.flatMap((each) => (each instanceof Uint8Array ? decodeStatusDetails(each) : [])),
    );
  } catch {
    return [];
  }
}
