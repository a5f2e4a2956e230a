import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@apix/logx/core';
import { CERTIFICATE } from '../certificate.fixture.js';
import { GrpcCollector, HttpCollector } from '../stub-collector.fixture.js';
import { type OtelStats, otelSink } from './otel-sink.js';

const VARIABLE = 'OTEL_EXPORTER_OTLP_CERTIFICATE';

describe.each([
  ['grpc', GrpcCollector],
  ['http', HttpCollector],
] as const)('TLS over %s', (protocol, Collector) => {
  const folder = mkdtempSync(join(tmpdir(), 'logx-otel-'));
  beforeAll(() => {
    writeFileSync(join(folder, 'ca.pem'), CERTIFICATE);
    process.env[VARIABLE] = join(folder, 'ca.pem');
  });
  afterAll(() => {
    delete process.env[VARIABLE];
    rmSync(folder, { recursive: true });
  });

  async function send(tls: boolean, timeout: string, insecure = false): Promise<OtelStats> {
    const collector = await Collector.start({ tls });
    try {
      const endpoint = collector.endpoint.replace('127.0.0.1', 'localhost');
      const sink = otelSink({ endpoint, protocol, insecure, timeout, onError: () => {} });
      const logger = createLogger({ sinks: [sink] });
      logger.information('secret');
      await logger.close();
      expect(collector.records).toHaveLength(sink.stats().sent);
      return sink.stats();
    } finally {
      await collector.stop();
    }
  }

  it('is on unless it is turned off', async () => {
    expect(await send(true, '5s')).toMatchObject({ sent: 1 });
  });

  it('does not fall back to a plain connection', async () => {
    expect(await send(false, '300ms')).toMatchObject({ sent: 0, failed: 1 });
  });

  it('is not tried by an insecure sink', async () => {
    expect(await send(true, '300ms', true)).toMatchObject({ sent: 0, failed: 1 });
  });
});
