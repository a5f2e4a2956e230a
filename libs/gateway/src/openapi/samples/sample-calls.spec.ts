import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SampleCall } from '@apix/contracts/internal';
import {
  type EchoServer,
  startEchoServer,
  transcodingRegistry,
} from '../../fixtures/echo-server.fixture.js';
import { type Answer, type Served, ask, serve } from '../../fixtures/serve.fixture.js';
import { Gateway } from '../../http/gateway.js';
import { inProcessUpstream } from '../../upstream/in-process-upstream.js';
import type { Upstream } from '../../upstream/upstream.js';
import { sampleCalls } from './sample-calls.js';

const protos = transcodingRegistry();
const methods = [...protos.services].flatMap((service) => service.methods);
const named = (name: string) => methods.find((method) => method.name === name)!;

let echo: EchoServer;
let upstream: Upstream;
let gateway: Gateway;
let served: Served;
beforeAll(async () => {
  echo = await startEchoServer(protos);
  upstream = inProcessUpstream(echo.door);
  gateway = new Gateway(protos, upstream, {
    mount: '/api',
    protocols: ['rest', 'connect', 'grpc-web', 'grpc'],
  });
  served = await serve(gateway.handle);
});
afterAll(async () => {
  await served.close();
  upstream.close();
  echo.stop();
});

const samplesOf = (name: string): SampleCall[] => sampleCalls(named(name), gateway, protos, {});

function send({ protocol, httpMethod, target, body }: SampleCall): Promise<Answer> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const type = protocol === 'grpc-web' ? 'application/grpc-web+json' : 'application/json';
  return ask(served.port, target, {
    method: httpMethod,
    ...(json !== undefined && { headers: { 'content-type': type } }),
    ...(json !== undefined && { body: protocol === 'grpc-web' ? framed(json) : json }),
  });
}

function framed(json: string): Buffer {
  const bytes = Buffer.from(json);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

describe('the sample calls of a method', () => {
  it('are taken, each by its protocol, and reach the method', async () => {
    const plain = methods.filter(({ methodKind }) => methodKind === 'unary');
    for (const method of plain) {
      for (const sample of samplesOf(method.name)) {
        const before = echo.calls.length;
        const { status, headers } = await send(sample);
        const where = `${sample.protocol} ${sample.httpMethod} ${sample.target}`;
        const reached = echo.calls.slice(before).map((name) => name.split('/').at(-1));
        expect([where, reached]).toEqual([where, [method.name]]);
        // Of a method that fails the failure is its own.
        if (method.name !== 'Fail') {
          expect([where, status, headers['grpc-status']]).toEqual([where, 200, undefined]);
        }
      }
    }
    expect(plain.length).toBeGreaterThan(3);
  });

  it('have the rules of REST first, and those that a browser speaks, below the prefix', () => {
    const protocols = samplesOf('Query').map(({ protocol }) => protocol);
    expect(protocols.slice(-2)).toEqual(['connect', 'grpc-web']);
    expect(new Set(protocols.slice(0, -2))).toEqual(new Set(['rest']));
    for (const { target } of samplesOf('Query')) expect(target).toMatch(/^\/api\//);
  });

  it('have no way by REST for a stream of requests', () => {
    const [bidi] = methods.filter(({ methodKind }) => methodKind === 'bidi_streaming');
    expect(samplesOf(bidi!.name).map(({ protocol }) => protocol)).toEqual(['connect', 'grpc-web']);
  });

  it('are those that the gateway serves', () => {
    const rest = new Gateway(protos, upstream);
    const found = sampleCalls(named('Query'), rest, protos, {});
    expect(new Set(found.map(({ protocol }) => protocol))).toEqual(new Set(['rest']));
    const none = new Gateway(protos, upstream, {
      protocols: ['connect'],
      exclude: ['transcoding.v1.EchoService.Query'],
    });
    expect(sampleCalls(named('Query'), none, protos, {})).toEqual([]);
  });

  it('are written with the names that the gateway writes', () => {
    const bodies = (protoNames: boolean) =>
      sampleCalls(named('Query'), gateway, protos, { json: { protoNames } }).at(-1)!.body as object;
    expect(Object.keys(bodies(false)).some((name) => name.includes('_'))).toBe(false);
    expect(Object.keys(bodies(true)).some((name) => name.includes('_'))).toBe(true);
  });
});
