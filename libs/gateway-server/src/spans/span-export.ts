import type { Server } from 'node:http';
import type { OutgoingStage } from '@apix/contracts';
import type { RequestHandler } from '@apix/gateway/core';
import type { Logger } from '@apix/logx/core';
import { clientTracing, openTracing, traceServer, tracedHandler } from '@apix/otel/core';
import { spanDestination } from './span-destination.js';

/** Gives requests and calls their spans, which are sent by OTLP. */
export interface SpanExport {
  /** What each call to the gRPC server passes. */
  readonly stages: readonly OutgoingStage[];
  /** The same handler, whose requests have spans. */
  handler(handler: RequestHandler): RequestHandler;
  /** Gives the WebSockets of a server spans too. */
  watch(server: Server): void;
  /** Sends what is left; the same promise each time. Never fails. */
  close(): Promise<void>;
}

/** What spans are of where the environment does not name it. */
const SERVICE_NAME = 'apix-gateway';

/** Not brought along, as most gateways export nothing. */
const PACKAGES = [
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/context-async-hooks',
];

/**
 * Sets spans up where the variables of OpenTelemetry ask for them. What keeps them from being exported is a
 * warning, and requests are served without.
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
    // Why: docs/decisions/0330
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
