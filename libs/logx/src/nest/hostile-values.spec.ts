import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { httpMiddleware } from '../http/http-middleware.js';
import { createLogger } from '../logger/create-logger.js';
import { requestRecordOf } from '../request/request-record.js';
import { customSink } from '../sinks/custom-sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { HOSTILE_VALUES } from '../testing/hostile-values.fixture.js';
import { LogxLoggerService } from './logx-logger.service.js';

describe.each(HOSTILE_VALUES)('%s', (_, value) => {
  it('is logged by the LoggerService of Nest as message and as argument', () => {
    const sink = collectingSink();
    const service = new LogxLoggerService(createLogger({ sinks: [sink] }));
    service.error(value);
    service.log('text {Value}', value);
    service.warn(value, value, 'Context');
    expect(sink.lines).toHaveLength(3);
  });

  it('as what failed in a request leaves the request its event', async () => {
    const sink = collectingSink();
    const logger = createLogger({ sinks: [sink] });
    const middleware = httpMiddleware(logger);
    const server = createServer((req, res) => {
      middleware(req, res, () => {
        requestRecordOf(req)!.fail(value);
        res.writeHead(500).end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`);
    await new Promise((resolve) => server.close(resolve));
    expect(reply.status).toBe(500);
    expect(sink.lines).toEqual([expect.stringContaining('GET / -> 500')]);
  });

  it('thrown by a sink goes to the error handler', () => {
    const errors: string[] = [];
    const write = (): void => {
      throw value;
    };
    const sinks = [customSink({ write }), customSink({ write }, { async: true })];
    const logger = createLogger({
      sinks,
      errorHandler: ({ message }) => void errors.push(message),
    });
    logger.information('x');
    expect(errors).toEqual([expect.stringMatching(/^logx: custom could not write: .+/)]);
  });

  it('thrown when a sink is flushed goes to the error handler', async () => {
    const errors: string[] = [];
    const flush = (): Promise<void> => Promise.reject(value);
    const logger = createLogger({
      sinks: [customSink({ write: () => {}, flush })],
      errorHandler: ({ message }) => void errors.push(message),
    });
    await logger.flush().catch(() => {});
    expect(errors).toEqual([expect.stringMatching(/^logx: custom could not .+: .+/)]);
  });
});
