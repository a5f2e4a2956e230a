import { createLogger, customSink, type Logger } from '@apix/logx/core';
import { type OtelSink, otelSink } from '@apix/logx-otel';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';

/** Both with the same version of the SDK, the same batches and the same records at the end. */

export interface Shipper {
  log(path: string, status: number, bytes: number, durationMs: number): void;
  close(): Promise<void>;
}

const REQUEST_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TEMPLATE = '{Method} {Path} -> {Status}, {Bytes} bytes in {DurationMs} ms';

export function sdk(port: string, records: number): Shipper {
  const exporter = new OTLPLogExporter({ url: `http://127.0.0.1:${port}/v1/logs` });
  const processor = new BatchLogRecordProcessor({ exporter, maxQueueSize: records });
  const provider = new LoggerProvider({ processors: [processor] });
  const logger = provider.getLogger('bench');
  return {
    log(path, status, bytes, durationMs) {
      logger.emit({
        timestamp: Date.now(),
        severityNumber: 9,
        severityText: 'INFO',
        body: `GET ${path} -> ${status}, ${bytes} bytes in ${durationMs} ms`,
        attributes: {
          service: 'shop',
          RequestId: REQUEST_ID,
          Method: 'GET',
          Path: path,
          Status: status,
          Bytes: bytes,
          DurationMs: durationMs,
          'log.template': TEMPLATE,
        },
        context: ROOT_CONTEXT,
      });
    },
    close: () => provider.shutdown(),
  };
}

export function logx(port: string, records: number): Shipper {
  const sink = sinkTo(port, records);
  return shipperOf(createLogger({ sinks: [sink] }), () => sink.close());
}

/** As a writer that has only lines uses the sink. */
export function logxLines(port: string, records: number): Shipper {
  const sink = sinkTo(port, records);
  const lines = customSink({ write: (line) => sink.write(line) });
  return shipperOf(createLogger({ sinks: [lines] }), () => sink.close());
}

function sinkTo(port: string, records: number): OtelSink {
  return otelSink({
    endpoint: `127.0.0.1:${port}`,
    protocol: 'http',
    insecure: true,
    queueSize: records,
    scopeName: 'bench',
  });
}

function shipperOf(root: Logger, close: () => Promise<void>): Shipper {
  const logger = root.forContextValues({ service: 'shop', RequestId: REQUEST_ID });
  return {
    log(path, status, bytes, durationMs) {
      logger.information(TEMPLATE, 'GET', path, status, bytes, durationMs);
    },
    close,
  };
}
