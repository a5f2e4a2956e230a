import { thrownText } from '@apix/contracts';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { EndpointSettings } from '../config/resolve-config.js';
import { type Rejection, watchRejections } from './inside-exporter.js';
import { RetryingExporter } from './retrying-exporter.js';

/** The timeout of the exporters unless another one is set. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Callbacks of an exporter in addition to its results. */
export interface ExporterEvents {
  /** Called for rejected records, before the export is reported as a success. */
  readonly onRejected: (rejection: Rejection) => void;
  /** Called for records that are sent again; only by the exporter over gRPC. */
  readonly onRetry: (records: number) => void;
  /** Called with OpenTelemetry's exporter when it has been created. */
  readonly onMade: (exporter: LogRecordExporter) => void;
}

/**
 * Loads and creates the exporter of a protocol.
 *
 * @throws Error that names the package to install.
 */
export async function openExporter(
  settings: EndpointSettings,
  { onRejected, onRetry, onMade }: ExporterEvents,
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
      onMade(exporter);
      return exporter;
    }
    const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-grpc');
    const metadata = await metadataOf(headers);
    const url = `${scheme}://${endpoint}`;
    const exporter = new OTLPLogExporter({ url, ...metadata, ...timeout });
    watchRejections(exporter, onRejected);
    onMade(exporter);
    return new RetryingExporter(exporter, timeoutMs || DEFAULT_TIMEOUT_MS, onRetry);
  } catch (cause) {
    throw new Error(`cannot create the exporter for protocol ${protocol}: ${hint(cause)}`, {
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
  const code = (cause as Partial<NodeJS.ErrnoException> | null)?.code;
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  const text = thrownText(cause);
  const [, missing] = /(?:package|module) '([^'/][^']*)'/.exec(text) ?? [];
  return isMissing && missing !== undefined ? missingPackage(missing) : text;
}

function missingPackage(name: string): string {
  return `${name} is not installed; run npm install ${name}`;
}
