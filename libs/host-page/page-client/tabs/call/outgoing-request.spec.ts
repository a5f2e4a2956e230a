import { describe, expect, it } from '@jest/globals';
import { FrameReader } from './message-frames.js';
import { type WrittenCall, outgoingRequest } from './outgoing-request.js';

const ORIGIN = 'https://shop.example';

function written(over: Partial<WrittenCall> = {}): WrittenCall {
  return {
    protocol: 'rest',
    kind: 'unary',
    httpMethod: 'POST',
    target: '/v1/orders?view=full',
    body: '{"a":1}',
    token: '',
    headers: '',
    asViewer: false,
    ...over,
  };
}

function sent(over: Partial<WrittenCall> = {}) {
  const { url, init } = outgoingRequest(written(over), ORIGIN);
  return { ...init, url: url.href, headers: Object.fromEntries(new Headers(init.headers)) };
}

function framesOf(body: unknown): string[] {
  return new FrameReader().take(body as Uint8Array).map(({ text }) => text);
}

describe('the request of a call', () => {
  it('is what the viewer wrote, without what the browser knows of them', () => {
    expect(sent()).toMatchObject({
      url: `${ORIGIN}/v1/orders?view=full`,
      method: 'POST',
      body: '{"a":1}',
      credentials: 'omit',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    expect(sent({ asViewer: true }).credentials).toBe('same-origin');
  });

  it('has no body and no type of one where there is none', () => {
    const { body, headers } = sent({ httpMethod: 'GET', body: null, kind: 'server_stream' });
    expect(body).toBeUndefined();
    expect(headers).toEqual({ accept: 'application/x-ndjson' });
  });

  it.each([
    ['abc', 'Bearer abc'],
    [' Basic YTpi ', 'Basic YTpi'],
  ])('has the token %p', (token, authorization) => {
    expect(sent({ token }).headers).toMatchObject({ authorization });
  });

  it('has the headers, which may replace its own', () => {
    const headers = 'x-tenant: a:b\n\n Accept : text/event-stream';
    expect(sent({ headers }).headers).toMatchObject({
      'x-tenant': 'a:b',
      accept: 'text/event-stream',
    });
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example/', 'v1/orders', ''])(
    'goes to no other place: %p',
    (target) => {
      expect(() => sent({ target })).toThrow('only this app is called');
    },
  );

  it.each([
    ['no colon', 'the header "no colon" is not of the form name: value'],
    [': nameless', 'the header ": nameless" is not of the form name: value'],
    ['a b: c', 'the header "a b" has a character that no header can have'],
  ])('is not made with the header %p', (headers, message) => {
    expect(() => sent({ headers })).toThrow(message);
  });

  it('is JSON by Connect, and in frames where it is a stream', () => {
    const unary = sent({ protocol: 'connect' });
    expect(unary.body).toBe('{"a":1}');
    expect(unary.headers).toEqual({
      'content-type': 'application/json',
      'connect-protocol-version': '1',
    });
    const stream = sent({ protocol: 'connect', kind: 'server_stream' });
    expect(stream.headers).toMatchObject({ 'content-type': 'application/connect+json' });
    expect(framesOf(stream.body)).toEqual(['{"a":1}']);
  });

  it('is in frames by gRPC-Web', () => {
    const { body, headers } = sent({ protocol: 'grpc-web' });
    expect(headers).toMatchObject({ 'content-type': 'application/grpc-web+json' });
    expect(framesOf(body)).toEqual(['{"a":1}']);
  });

  it('has several messages from a list', () => {
    const call = { protocol: 'connect', kind: 'client_stream' } as const;
    expect(framesOf(sent({ ...call, body: '[{"a":1}, {}]' }).body)).toEqual(['{"a":1}', '{}']);
    expect(() => sent({ ...call, body: '{}' })).toThrow('must be a JSON list');
    expect(() => sent({ ...call, body: '[{}' })).toThrow('the messages are not JSON');
  });
});
