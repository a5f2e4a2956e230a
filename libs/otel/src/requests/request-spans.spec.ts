import { afterEach, expect, it } from '@jest/globals';
import { type CallContext } from '@apix/contracts';
import { offerRequestWatch } from '@apix/contracts/internal';
import { bearerSubject } from '@apix/authz/jwt';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AUDIENCE, ISSUER, startIssuer } from '../../../authz/src/jwt/issuer.fixture.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { Tracing } from '../tracing/tracing.js';
import { requestSpans } from './request-spans.js';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
  forgetSpans();
});

/** Has the keys of an identity provider fetched by a call with a token. */
async function fetched(status: number) {
  const recorded = new RecordedSpans();
  const issuer = await startIssuer();
  open.push(() => issuer.close(), offerRequestWatch(requestSpans(new Tracing())));
  const seen: string[] = [];
  const { port } = new URL(issuer.jwks);
  const jwks = `http://127.0.0.1:${port}/jwks?key=secret`;
  const token = await issuer.token();
  if (status !== 200) {
    issuer.serve((req, res) => {
      seen.push(...Object.keys(req.headers));
      res.writeHead(status).end();
    });
  }
  const subject = bearerSubject({ jwks, issuer: ISSUER, audience: AUDIENCE });
  const call = {
    metadata: { get: () => [`Bearer ${token}`], keys: () => ['authorization'] },
    signal: new AbortController().signal,
  } as unknown as CallContext;
  await trace.getTracer('test').startActiveSpan('call', async (span) => {
    await Promise.resolve(subject(call)).catch(() => {});
    span.end();
  });
  return { recorded, port: Number(port), seen };
}

it('a fetch of keys is a child of the call that needs them, without secrets', async () => {
  const { recorded, port } = await fetched(200);
  expect(recorded.paths).toEqual(['INTERNAL call', 'INTERNAL call > CLIENT GET']);
  const { kind, attributes, status } = recorded.named('GET');
  expect(kind).toBe(SpanKind.CLIENT);
  expect(status.code).toBe(SpanStatusCode.UNSET);
  expect(attributes).toEqual({
    'http.request.method': 'GET',
    'url.full': `http://127.0.0.1:${port}/jwks`,
    'server.address': '127.0.0.1',
    'server.port': port,
    'http.response.status_code': 200,
  });
});

it('one that fails has its status, and the provider gets no trace', async () => {
  const { recorded, seen } = await fetched(503);
  const { attributes, status } = recorded.named('GET');
  expect(status.code).toBe(SpanStatusCode.ERROR);
  expect(attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': '503' });
  expect(seen).not.toContain('traceparent');
});
