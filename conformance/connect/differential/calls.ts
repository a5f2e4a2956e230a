import { gzipSync } from 'node:zlib';
import { SERVICE } from '../suite/schema.js';
import { DIALECTS, type Maker, odd, withFields } from './odd.js';
import { oddBodies } from './odd-bodies.js';
import { type RawCall, anyShape, politeCall } from './polite.js';
import type { Random } from '../../random.js';

/** So many calls of all classes in turn. */
export function makeCalls(random: Random, count: number): RawCall[] {
  const makers = [...sound(), ...types(), ...verbs(), ...paths(), ...timeouts(), ...versions()];
  makers.push(...oddBodies(), ...gets());
  return Array.from({ length: Math.max(count, makers.length) }, (_, at) => {
    const call = makers[at % makers.length]!(random);
    return { ...call, name: `${call.name} #${at}` };
  });
}

function sound(): Maker[] {
  const unauthenticated: Maker = (random) => ({
    ...politeCall(random, anyShape(random, 'connectUnary'), 'sound/connectUnary/401'),
    head: {
      method: 'POST',
      path: `/${SERVICE}/Unary`,
      headers: { 'content-type': 'application/json' },
    },
    body: [Buffer.from('{"responseDefinition":{"error":{"code":"CODE_UNAUTHENTICATED"}}}')],
  });
  // Several each, because these are what callers do.
  const usual = Array.from({ length: 24 }, (_, at): Maker => (random) => {
    const shape = anyShape(random, DIALECTS[at % 4]!);
    return politeCall(random, shape, `sound/${shape.dialect}/${shape.method}`);
  });
  return [...usual, unauthenticated];
}

function types(): Maker[] {
  const all = [
    'text/plain',
    'application/xml',
    '',
    undefined,
    'application/connect+foo',
    'application/grpc+thrift',
    'application/grpc-web+thrift',
    'application/x-www-form-urlencoded',
    'application/json;charset=latin1',
    'application/',
  ];
  const polite = odd('type/json with a charset', ['connectUnary'], (call, _, { codec }) =>
    codec === 2 ? withFields(call, { 'content-type': 'application/json; charset=utf-8' }) : call,
  );
  const capitals = odd('type/capitals', DIALECTS, (call) =>
    withFields(call, { 'content-type': String(call.head.headers['content-type']).toUpperCase() }),
  );
  return [
    ...all.flatMap((type) =>
      odd(`type/${type ?? 'none'}`, DIALECTS.slice(0, 2), (call) =>
        withFields(call, { 'content-type': type }),
      ),
    ),
    ...polite,
    ...capitals,
  ];
}

function verbs(): Maker[] {
  const path = `/${SERVICE}/BidiStream`;
  const bothWays = odd(
    'verb/both directions over HTTP/1.1',
    ['connectStream', 'grpcWeb'],
    (call) => ({
      version: 1,
      head: { ...call.head, path },
    }),
  );
  const others = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'].flatMap((method) =>
    odd(`verb/${method}`, DIALECTS, (call) => ({
      head: { ...call.head, method },
      ...(['GET', 'HEAD', 'OPTIONS'].includes(method) && { body: [] }),
    })),
  );
  return [...bothWays, ...others];
}

function paths(): Maker[] {
  const all: Readonly<Record<string, string>> = {
    'unknown method': `/${SERVICE}/Nothing`,
    'unknown service': '/a.b.C/Unary',
    'trailing slash': `/${SERVICE}/Unary/`,
    'doubled slash': `//${SERVICE}/Unary`,
    'other case': `/${SERVICE}/unary`,
    'escaped slash': `/${SERVICE}%2FUnary`,
    'escaped letter': `/${SERVICE}/%55nary`,
    'dot segment': `/${SERVICE}/./Unary`,
    root: '/',
    'no method': `/${SERVICE}`,
  };
  return Object.entries(all).flatMap(([name, path]) =>
    odd(`path/${name}`, DIALECTS, (call) => ({ head: { ...call.head, path } })),
  );
}

function timeouts(): Maker[] {
  const connect = ['', 'abc', '-1', '99999999999', '1e3', '10s', ' 5000', '0x10'].flatMap((value) =>
    odd(`timeout/connect "${value}"`, DIALECTS.slice(0, 2), (call) =>
      withFields(call, { 'connect-timeout-ms': value }),
    ),
  );
  const grpc = ['', '10', '10x', '123456789m', '-1m', 'm', '1.5S', '5M'].flatMap((value) =>
    odd(`timeout/grpc "${value}"`, DIALECTS.slice(2), (call) =>
      withFields(call, { 'grpc-timeout': value }),
    ),
  );
  return [...connect, ...grpc];
}

function versions(): Maker[] {
  return [undefined, '2', '', 'v1'].flatMap((version) =>
    odd(`version/${version ?? 'none'}`, DIALECTS.slice(0, 2), (call) =>
      withFields(call, { 'connect-protocol-version': version }),
    ),
  );
}

function gets(): Maker[] {
  const path = `/${SERVICE}/IdempotentUnary`;
  const data = encodeURIComponent('{"responseDefinition":{"responseData":"AQID"}}');
  const all: Readonly<Record<string, string>> = {
    'sound JSON': `${path}?connect=v1&encoding=json&message=${data}`,
    'sound proto': `${path}?connect=v1&encoding=proto&base64=1&message=EgMBAgM`,
    'with padding': `${path}?connect=v1&encoding=proto&base64=1&message=EgEB%3D%3D`.replace(
      '%3D%3D',
      '%3D%3D',
    ),
    'no message': `${path}?connect=v1&encoding=json`,
    'an empty message': `${path}?connect=v1&encoding=proto&message=`,
    'no encoding': `${path}?connect=v1&message=${data}`,
    'an unknown encoding': `${path}?connect=v1&encoding=xml&message=${data}`,
    'no version': `${path}?encoding=json&message=${data}`,
    'another version': `${path}?connect=v2&encoding=json&message=${data}`,
    'no base64': `${path}?connect=v1&encoding=proto&base64=1&message=*`,
    compressed: `${path}?connect=v1&encoding=json&base64=1&compression=gzip&message=${gzipSync('{}').toString('base64url')}`,
    'an unknown compression': `${path}?connect=v1&encoding=json&compression=lzma&message=${data}`,
    'a method with side effects': `/${SERVICE}/Unary?connect=v1&encoding=json&message=${data}`,
    'a stream': `/${SERVICE}/ServerStream?connect=v1&encoding=json&message=${data}`,
    'no query': path,
    'an unknown parameter': `${path}?connect=v1&encoding=json&other=1&message=${data}`,
    'no JSON': `${path}?connect=v1&encoding=json&message=%7B`,
  };
  const sounds = new Set(['sound JSON', 'sound proto']);
  return Object.entries(all).map(([name, target]) => (random) => ({
    name: `get/${name}`,
    version: random.pick([1, 2]),
    head: { method: 'GET', path: target, headers: { 'user-agent': 'apix-conformance' } },
    body: [],
    isSound: sounds.has(name),
  }));
}
