import type { Server } from 'node:http';
import type { OutgoingStage } from '@apix/contracts';
import type { RequestHandler } from '@apix/gateway/core';
import type { Logger } from '@apix/logx/core';
import { clientTracing, openTracing, traceServer } from '@apix/otel/core';
import { tracedHandler } from '@apix/otel/internal';
import { spanDestination } from './span-destination.js';

/** Creates spans for requests and calls, and sends them by OTLP. */
export interface SpanExport {
  /** The stages that each call to the gRPC server passes. */
  readonly stages: readonly OutgoingStage[];
  /** Wraps a handler so that its requests have spans. */
  handler(handler: RequestHandler): RequestHandler;
  /** Creates spans for the WebSockets of a server too. */
  watch(server: Server): void;
  /** Sends the remaining spans. Returns the same promise each time; it never rejects. */
  close(): Promise<void>;
}

/** The service name of the spans if the environment sets none. */
const SERVICE_NAME = 'apix-gateway';

/** Not dependencies of this package, because most gateways export nothing. */
const PACKAGES = [
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/context-async-hooks',
];

/**
 * Sets up spans if the OpenTelemetry variables enable them. If they cannot be exported, a warning is logged, and
 * requests are served without spans.
 */
export async function openSpanExport(
  log: Pick<Logger, 'warning'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<SpanExport | undefined> {
  const { isOtlp, problems } = spanDestination(env);
  const warn = (problem: string): void => log.warning('no spans are exported: {Problem}', problem);
  for (const problem of problems) warn(problem);
  if (!isOtlp) return undefined;
  try {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
    const opened = await openTracing({
      exporter: new OTLPTraceExporter(),
      ...(!isNamed(env) && { serviceName: SERVICE_NAME }),
      report: (problem) => log.warning('{Problem}', problem),
    });
    const { tracing } = opened;
    return {
      stages: [clientTracing(tracing)],
      handler: (handler) => tracedHandler((req, res) => handler(req, res), { tracing }),
      watch: (server) => void traceServer(server, { tracing }),
      close: () => opened.close(),
    };
  } catch (error) {
    // Why: docs/decisions/0316
    log.warning(error, 'no spans are exported: run npm install {Packages}', PACKAGES.join(' '));
    return undefined;
  }
}

function isNamed({
  OTEL_SERVICE_NAME: name = '',
  OTEL_RESOURCE_ATTRIBUTES: more = '',
}: NodeJS.ProcessEnv) {
  return name.trim() !== '' || /(?:^|,)\s*service\.name\s*=/.test(more);
}
