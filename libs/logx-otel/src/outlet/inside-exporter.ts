import type { LogRecordExporter } from '@opentelemetry/sdk-logs';

/** The answer of a collector that accepted a part of a request (opentelemetry-proto). */
interface ExportResponse {
  readonly partialSuccess?:
    | { readonly rejectedLogRecords?: unknown; readonly errorMessage?: string | null }
    | null
    | undefined;
}

export interface Rejection {
  readonly records: number;
  readonly reason: string;
}

/** Converts records to requests, and parses the responses. */
interface RequestSerializer {
  serializeRequest(records: readonly object[]): Uint8Array | undefined;
  deserializeResponse(bytes: Uint8Array): unknown;
}

/** The internals of an exporter of OpenTelemetry; no other file accesses them. */
interface WithDelegate {
  readonly _delegate?: {
    _responseHandler?: { handleResponse(response: unknown): void };
    _serializer?: RequestSerializer;
  };
}

/**
 * Makes an exporter create its requests with `encode`. The exporter still sends them.
 *
 * @returns false for an exporter with another structure, which is not changed.
 */
// Why: docs/decisions/0076
export function encodeRequestsBy(
  exporter: LogRecordExporter,
  encode: (records: readonly object[]) => Uint8Array,
): boolean {
  const delegate = (exporter as WithDelegate)._delegate;
  const own = delegate?._serializer;
  if (delegate === undefined || typeof own?.serializeRequest !== 'function') return false;
  delegate._serializer = {
    serializeRequest: encode,
    deserializeResponse: (bytes) => own.deserializeResponse(bytes),
  };
  return true;
}

/**
 * Makes an exporter report records that the collector rejected. OpenTelemetry's exporters count such a
 * request as a success and only log it.
 *
 * @returns false for an exporter with another structure; its rejected records count as sent.
 */
export function watchRejections(
  exporter: LogRecordExporter,
  onRejected: (rejection: Rejection) => void,
): boolean {
  const delegate = (exporter as WithDelegate)._delegate;
  const handler = delegate?._responseHandler;
  if (delegate === undefined || typeof handler?.handleResponse !== 'function') return false;
  delegate._responseHandler = {
    handleResponse(response) {
      const rejection = rejectionOf(response as ExportResponse | null | undefined);
      if (rejection !== undefined) onRejected(rejection);
      handler.handleResponse(response);
    },
  };
  return true;
}

function rejectionOf(response: ExportResponse | null | undefined): Rejection | undefined {
  const { rejectedLogRecords, errorMessage } = response?.partialSuccess ?? {};
  const records = Number(rejectedLogRecords ?? 0);
  return records > 0 ? { records, reason: errorMessage ?? '' } : undefined;
}
