import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASSERTED } from '../fixtures/header-names.fixture.js';
import { isInternalKey } from './keys.js';
import { SINGLE_VALUE } from './request-metadata.js';

/** Fields of HTTP that callers and servers send, beside those of proxies. */
const STANDARD = `
accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials
access-control-allow-headers access-control-allow-methods access-control-allow-origin
access-control-expose-headers access-control-max-age access-control-request-headers
access-control-request-method age allow alt-svc baggage cache-control content-disposition
content-language content-location content-md5 content-range content-security-policy date dnt etag
expect expires from if-match if-modified-since if-none-match if-range if-unmodified-since
last-modified link location max-forwards pragma prefer priority range refresh retry-after server
strict-transport-security tk traceparent tracestate upgrade-insecure-requests vary warning
www-authenticate x-content-type-options x-frame-options x-tenant
`
  .trim()
  .split(/\s+/);

describe('a key that carries one value at most', () => {
  const server = createServer();
  let session: ReturnType<typeof connect>;
  beforeAll(async () => {
    server.on('stream', (stream) => stream.respond({}, { endStream: true }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Whether Node refuses to send two values, as it would those of a call's metadata. */
  function isRefusedTwice(name: string): boolean {
    try {
      session.request({ [name]: ['a', 'b'] }).on('error', () => {});
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_HTTP2_HEADER_SINGLE_VALUE' });
      return true;
    }
  }

  it('is one of which Node refuses to send two', () => {
    const names = [...new Set([...STANDARD, ...ASSERTED])].filter((name) => !isInternalKey(name));
    expect(names.filter((name) => SINGLE_VALUE.has(name))).toEqual(names.filter(isRefusedTwice));
    expect(names.filter((name) => SINGLE_VALUE.has(name)).length).toBeGreaterThan(20);
  });
});
