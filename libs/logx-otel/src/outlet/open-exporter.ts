import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { EndpointSettings } from '../config/resolve-config.js';

/** Loads and makes the exporter of a protocol. @throws Error that names the package to install. */
export async function openExporter(settings: EndpointSettings): Promise<LogRecordExporter> {
  const { endpoint, protocol, insecure, headers, timeoutMs } = settings;
  const scheme = insecure ? 'http' : 'https';
  const timeout = timeoutMs === 0 ? {} : { timeoutMillis: timeoutMs };
  try {
    if (protocol === 'http') {
      const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-proto');
      return new OTLPLogExporter({ url: `${scheme}://${endpoint}/v1/logs`, headers, ...timeout });
    }
    const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-grpc');
    const metadata = await metadataOf(headers);
    return new OTLPLogExporter({ url: `${scheme}://${endpoint}`, ...metadata, ...timeout });
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
