import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { attachLogger, loggerOfRequest } from './request-logger.js';
import { RequestRecord, setRecord } from './request-record.js';

interface Request {
  log?: unknown;
}

const root = createLogger({ sinks: [collectingSink()] });

function logged(request: Request = {}): { request: Request; record: RequestRecord } {
  const record = new RequestRecord(root.forContext('RequestId', 'r-1'));
  setRecord(request, record);
  attachLogger(request);
  return { request, record };
}

describe('the property log of a request', () => {
  it('is its logger of the moment', () => {
    const { request, record } = logged();
    expect(request.log).toBe(record.logger);
    record.assign({ Tenant: 'acme' });
    expect(request.log).toBe(record.logger);
    expect(loggerOfRequest(request)).toBe(record.logger);
  });

  it('is its logger, whatever middleware keeps as raw', () => {
    const { request, record } = logged();
    Object.assign(request, { raw: Buffer.from('the body') });
    expect(request.log).toBe(record.logger);
  });

  it('has the functions of every other request, so that the engine keeps one shape for all', () => {
    const [first, second] = [logged(), logged()].map(({ request }) =>
      Object.getOwnPropertyDescriptor(request, 'log'),
    );
    // Functions are equal only if they are the same.
    expect(first).toEqual(second);
    expect(first).toHaveProperty('get', expect.any(Function));
  });

  it('is not seen where a request is copied or printed', () => {
    const { request } = logged();
    expect({ ...request }).not.toHaveProperty('log');
  });

  it.each<[string, (request: Request, log: object) => void]>([
    ['assigns', (request, log) => (request.log = log)],
    [
      'assigns one, deletes it and assigns',
      (request, log) => {
        request.log = {};
        delete request.log;
        request.log = log;
      },
    ],
    ['defines', (request, value) => Object.defineProperty(request, 'log', { value })],
    [
      'deletes and assigns',
      (request, log) => {
        delete request.log;
        request.log = log;
      },
    ],
  ])('is that of a framework or middleware that %s one of its own', (_what, replace) => {
    const { request, record } = logged();
    const own = { info() {} };
    replace(request, own);
    expect(request.log).toBe(own);
    expect(loggerOfRequest(request)).toBe(record.logger);
  });

  it('is an ordinary property of the request once somebody has assigned one', () => {
    const { request } = logged();
    const own = { info() {} };
    request.log = own;
    const ordinary = Object.getOwnPropertyDescriptor({ log: own }, 'log');
    expect(Object.getOwnPropertyDescriptor(request, 'log')).toEqual(ordinary);
  });

  it('stays what it was where there is one', () => {
    const own = { info() {} };
    expect(logged({ log: own }).request.log).toBe(own);
    class Framework {
      get log(): object {
        return own;
      }
    }
    expect(logged(new Framework()).request.log).toBe(own);
  });
});
