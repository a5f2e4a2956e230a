import { diag } from '@opentelemetry/api';

/** Writes an error to the log of OpenTelemetry. A logger of the app's own that throws costs the line alone. */
export function tellDiag(message: string, error?: unknown): void {
  try {
    if (error === undefined) diag.error(message);
    else diag.error(message, error);
  } catch {
    // There is no other log to write to, and no reason to fail the traced work.
  }
}
