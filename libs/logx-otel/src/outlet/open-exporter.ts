import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { EndpointSettings } from '../config/resolve-config.js';
import { type Rejection, watchRejections } from './partial-success.js';
import { RetryingExporter } from './retrying-exporter.js';

/** The exporters' timeout where they are not told another. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Loads and makes the exporter of a protocol.
 *
 * @param onRejected told of what the collector rejects, before the export ends as a success.
 * @throws Error that names the package to install.
 */
export async function openExporter(
  settings: EndpointSettings,
  onRejected: (rejection: Rejection) => void,
): Promise<LogRecordExporter> {
  const { endpoint, protocol, insecure, headers, timeoutMs } = settings;
  const scheme = insecure ? 'http' : 'https';
  const timeout = timeoutMs === 0 ? {} : { timeoutMillis: timeoutMs };
  try {
    if (protocol === 'http') {
      const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-proto');
      const exporter = new OTLPLogExporter({
        url: `${scheme}://${endpoint}/v1/logs`,
        headers,
        ...timeout,
      });
      watchRejections(exporter, onRejected);
      return exporter;
    }
    const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-grpc');
    const metadata = await metadataOf(headers);
    const url = `${scheme}://${endpoint}`;
    const exporter = new OTLPLogExporter({ url, ...metadata, ...timeout });
    watchRejections(exporter, onRejected);
    return new RetryingExporter(exporter, timeoutMs || DEFAULT_TIMEOUT_MS);
  } catch (cause) {
    throw new Error(`the exporter of protocol ${protocol} cannot be made: ${hint(cause)}`, {
      cause,
    });
  }
}

async function metadataOf(headers: Readonly<Record<string, string>>) {
  if (Object.keys(headers).length === 0) return {};
  const { Metadata } = await import('@grpc/grpc-js');
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return { metadata };
}

function hint(cause: unknown): string {
  const { message, code } = cause as NodeJS.ErrnoException;
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isMissing ? `${message}; install the package` : message;
}
