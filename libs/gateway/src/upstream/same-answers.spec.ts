import { deepStrictEqual } from 'node:assert';
import { serviceDefinition } from '@apix/grpc/core';
import { CallableServer, InProcessEntry } from '@apix/grpc/in-process';
import { create } from '@bufbuild/protobuf';
import { ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { type Ask, type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { Gateway } from '../http/gateway.js';
import { inProcessUpstream } from './in-process-upstream.js';
import { networkUpstream } from './network-upstream.js';
import type { Upstream } from './upstream.js';

type Members = Readonly<Record<string, unknown>>;

const registry = transcodingRegistry();
const Everything = registry.registry.getMessage('transcoding.v1.Everything')!;
const bent = (members: Members): object => Object.assign(create(Everything), members);

let answer: (request: unknown) => unknown;
const upstreams: Upstream[] = [];
const served: Served[] = [];
let server: CallableServer;

beforeAll(async () => {
  server = new CallableServer({ 'grpc.max_receive_message_length': 100_000 }, (path) =>
    registry.method(path),
  );
  const reply = ((call: { request: unknown }, done: (error: null, value: unknown) => void) =>
    done(null, answer(call.request))) as UntypedHandleCall;
  const service = registry.services.find(({ name }) => name === 'EchoService')!;
  const names = service.methods.map(({ name }) => name);
  server.addService(
    serviceDefinition(service),
    Object.fromEntries(names.map((name) => [name, reply])),
  );
  const entry = new InProcessEntry();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  entry.serve(server);
  upstreams.push(networkUpstream({ endpoint: `127.0.0.1:${port}` }), inProcessUpstream(entry));
  for (const upstream of upstreams) {
    const gateway = new Gateway(registry, upstream, { maxBodyBytes: 1_000_000 });
    served.push(await serve(gateway.handle));
  }
});
afterAll(async () => {
  for (const upstream of upstreams) upstream.close();
  await Promise.all(served.map((it) => it.close()));
  server.forceShutdown();
});

/** The answers over the network and in-process. */
async function both(path: string, request: Ask, make: typeof answer) {
  const answers = [];
  for (const { port } of served) {
    answer = make;
    const { status, text } = await ask(port, path, request);
    answers.push({ status, text });
  }
  return answers;
}

const MIB = 1024 * 1024;

describe('REST over the network and in-process', () => {
  it.each<[string, () => unknown]>([
    ['a float', () => bent({ f32: 1.1 })],
    ['a float out of range', () => bent({ f32: 1e300 })],
    ['a fraction for an integer', () => bent({ i32: 1.5 })],
    ['an integer out of range', () => bent({ i32: 2 ** 40 })],
    ['NaN for an integer', () => bent({ i32: NaN })],
    ['a negative unsigned integer', () => bent({ u64: -1n })],
    ['a float that becomes zero', () => bent({ f32: 1e-60 })],
    ['a number for a bigint', () => bent({ i64: 5 })],
    ['a number for a bigint that lost digits', () => bent({ i64: 2 ** 60 })],
    [
      'unknown fields',
      () => bent({ $unknown: [{ no: 900, wireType: 2, data: new Uint8Array([1, 65]) }] }),
    ],
    [
      'more than 4 MiB of unknown fields',
      () => {
        const data = new Uint8Array(4 * MIB + 4);
        // The length of the rest, as a varint.
        data.set([0x80, 0x80, 0x80, 0x02]);
        return bent({ str: 'a', $unknown: [{ no: 900, wireType: 2, data }] });
      },
    ],
    ['an enum number with a fraction', () => bent({ color: 1.5 })],
    ['an enum number that it does not have', () => bent({ color: 99 })],
    ['half a surrogate pair', () => bent({ str: 'a\ud800' })],
    ['a number for a text', () => bent({ str: 5 })],
    ['nothing in a list', () => bent({ strs: ['a', undefined] })],
    ['a member of its own', () => bent({ more: 1 })],
    ['a plain object', () => ({ str: 'a', nested: { str: 'b' } })],
    ['a plain object with a Date', () => ({ nested: new Date(0) })],
    ['a plain object of another shape', () => ({ more: 1 })],
    ['a list', () => [bent({})]],
    ['a text', () => 'text'],
    ['nothing', () => undefined],
    [
      'an async generator',
      () =>
        (async function* () {
          yield await Promise.resolve(bent({}));
        })(),
    ],
    [
      'a message of another type',
      () => create(registry.registry.getMessage('transcoding.v1.CountResponse')!),
    ],
    [
      'a message that is changed when it was sent',
      () => {
        const message = bent({
          str: 'a',
          strs: ['a'],
          nested: create(registry.registry.getMessage('transcoding.v1.Nested')!),
        });
        process.nextTick(() => Object.assign(message, { str: 'changed' }));
        return message;
      },
    ],
    ['more than 4 MiB', () => bent({ data: new Uint8Array(4 * MIB) })],
  ])('answers with %s alike', async (_, make) => {
    const [network, inProcess] = await both('/v1/query', {}, make);
    expect(inProcess).toEqual(network);
  });

  it.each([
    ['a float in a query', '/v1/query?f32=1.1', {}],
    ['a float in a body', '/v1/whole', { f32: 1.1 }],
    ['a list that is changed by the handler', '/v1/whole', { strs: ['a'] }],
    ['a request of more than the server takes', '/v1/whole', { str: 'a'.repeat(200_000) }],
    ['a request of as much as the server takes', '/v1/whole', { str: 'ä'.repeat(49_998) }],
  ])('asks with %s alike', async (_, path, body) => {
    const request: Ask =
      path === '/v1/whole'
        ? {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
        : {};
    const [network, inProcess] = await both(path, request, (given) => given);
    expect(inProcess).toEqual(network);
  });

  it.each<[string, string, object | undefined]>([
    ['a path', '/v1/path/typed/-1/007/true/2', undefined],
    [
      'a query',
      '/v1/query?str=%C3%A4&i32=-1&i64=-007&f32=1e-60&f64=-0&data=AAE&color=2&nested.nested.str=in&strs=a&strs=b' +
        '&timestamp=2024-02-29T12:00:00.5Z&mask=str,f32&i64_value=0&struct=%7B%22__proto__%22%3A1%7D&text_i64=00' +
        '&choice_value=x&str_values=&optional_i32=0&value=null',
      undefined,
    ],
    [
      'a body',
      '/v1/whole',
      {
        str: 'ä🍲',
        f32: -1e-60,
        f64: '-Infinity',
        data: 'AAH/',
        color: 77,
        nested: { nested: {}, strs: [''] },
        labels: { b: '1', a: '', ['__proto__']: 'p' },
        duration: '-0.5s',
        strValue: '',
        dataValue: 'AA==',
        value: [null, { a: -0 }],
        struct: { a: { b: [] } },
        any: { '@type': 'type.googleapis.com/transcoding.v1.Nested', i64: '1' },
        choiceNested: {},
        textI64: '-7',
        strValues: ['', 'x'],
      },
    ],
    ['a body of one field', '/v1/parts/a/nested?f32=1.1', { i64: '-1', nested: {} }],
  ])('gives the handler the same message of %s', async (_, path, body) => {
    const seen: unknown[] = [];
    const request: Ask =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          };
    const answers = await both(path, request, (given) => {
      seen.push(given);
      return given;
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [network, inProcess] = seen;
    // Members, prototypes, classes and the sign of zero.
    deepStrictEqual(inProcess, network);
  });

  it('gives no response of more than 4 MiB', async () => {
    const [, inProcess] = await both('/v1/query', {}, () =>
      bent({ data: new Uint8Array(4 * MIB) }),
    );
    expect(inProcess!.status).toBe(500);
    expect(inProcess!.text).toContain('the response is too large');
  });
});
