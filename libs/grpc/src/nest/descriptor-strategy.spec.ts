import 'reflect-metadata';
import { encodeBadRequest } from '@apix/calls';
import { startHost } from '@apix/hostx/testing';
import { describe, expect, it, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import type { Client } from '@grpc/grpc-js';
import { type AddressInfo, createServer } from 'node:net';
import {
  type Shape,
  call,
  clientOf,
  openCall,
  probe,
} from '../../../grpc-client/src/client.fixture.js';
import { ObservableController, StreamCallController, probeApp } from '../probe.fixture.js';
import { resolveGrpcOptions } from '../server/grpc-options.js';
import { DescriptorStrategy } from './descriptor-strategy.js';
import { GrpcServer } from './grpc-server.js';

const [Unary, ServerStream, ClientStream, BidiStream] = probe.services[0]!.methods;

async function clientFor(...controllers: Type[]): Promise<Client> {
  const { app } = await startHost(probeApp(controllers), { http: false });
  return clientOf(app!.get(GrpcServer).address);
}

const text = (stringValue: string): Shape => ({ stringValue });
const texts = (...all: string[]): object[] => all.map((it) => expect.objectContaining(text(it)));

describe('a controller', () => {
  it.each([
    ['unary', Unary, ['a'], ['a']],
    ['server streaming', ServerStream, ['a'], ['1', '2', 'a']],
    ['client streaming', ClientStream, ['a', 'b', 'c'], ['abc']],
    ['client streaming without a request', ClientStream, [], ['']],
    ['bidirectional', BidiStream, ['a', 'b'], ['a', 'b']],
  ])("serves a %s method with Nest's decorators", async (_, method, requests, answers) => {
    const client = await clientFor(ObservableController);
    const { status, messages } = await call(client, method, requests.map(text));
    expect({ status, messages }).toEqual({ status: 'OK', messages: texts(...answers) });
  });

  it.each([
    ['client streaming', ClientStream, ['abc']],
    ['bidirectional', BidiStream, ['a', 'b', 'c']],
  ])('serves a %s method with @GrpcStreamCall', async (_, method, answers) => {
    const client = await clientFor(StreamCallController);
    const { status, messages } = await call(client, method, ['a', 'b', 'c'].map(text));
    expect({ status, messages }).toEqual({ status: 'OK', messages: texts(...answers) });
  });

  it('gets the metadata of a call and sends its own', async () => {
    const client = await clientFor(ObservableController);
    const { headers } = await call(client, Unary, [text('')], { metadata: { 'x-echo': 'hello' } });
    expect(headers?.get('x-echoed')).toEqual(['hello']);
  });

  it.each([
    ['unary', Unary],
    ['server streaming', ServerStream],
    ['client streaming', ClientStream],
    ['bidirectional', BidiStream],
  ])('answers a %s call with the status it throws, details and trailers', async (_, method) => {
    const client = await clientFor(ObservableController);
    const fail = (how: string) => call(client, method, [text(how)]);
    expect(await fail('rpc')).toMatchObject({ status: 'ABORTED', details: 'again' });
    const { status, details, trailers } = await fail('status');
    expect({ status, details }).toEqual({ status: 'FAILED_PRECONDITION', details: 'not now' });
    expect(trailers.get('x-hint')).toEqual(['later']);
    const [packed] = trailers.get('grpc-status-details-bin');
    const { value } = encodeBadRequest([{ field: 'a', description: 'is wrong', reason: 'wrong' }]);
    expect((packed as Buffer).includes(Buffer.from(value))).toBe(true);
    expect(await fail('plain')).toMatchObject({ status: 'INTERNAL', details: 'internal error' });
  });

  it('answers a @GrpcStreamCall with the status it throws, and does not hang', async () => {
    const client = await clientFor(StreamCallController);
    const { status } = await call(client, BidiStream, [], { metadata: { 'x-fail': '1' } });
    expect(status).toBe('FAILED_PRECONDITION');
  });

  it('sends what was answered before a failure of a stream', async () => {
    const client = await clientFor(ObservableController);
    const { status, messages } = await call(client, BidiStream, ['a', 'rpc'].map(text));
    expect({ status, messages }).toEqual({ status: 'ABORTED', messages: texts('a') });
  });

  it('answers each message of a stream as it comes', async () => {
    const client = await clientFor(ObservableController);
    const { stream, answer } = openCall(client, BidiStream!);
    for (const each of ['a', 'b', 'c']) {
      const heard = new Promise((resolve) => stream.once('data', resolve));
      stream.write(text(each));
      expect(await heard).toMatchObject(text(each));
    }
    stream.end();
    expect((await answer).status).toBe('OK');
  });
});

it('a method without a handler answers UNIMPLEMENTED', async () => {
  const client = await clientFor(StreamCallController);
  expect((await call(client, Unary, [text('')])).status).toBe('UNIMPLEMENTED');
});

/** A server without an app, and what it says when it was told to listen. */
function strategyAt(port: number) {
  const settings = resolveGrpcOptions({ host: '127.0.0.1', port });
  const strategy = new DescriptorStrategy(
    probe,
    settings,
    () => [],
    () => [],
  );
  return { strategy, listen: () => new Promise((resolve) => void strategy.listen(resolve)) };
}

it('can listen again after it could not', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const { strategy, listen } = strategyAt(port);
  expect(String(await listen())).toContain('grpc: cannot listen at');
  await new Promise((resolve) => other.close(resolve));
  expect(await listen()).toBeUndefined();
  expect(strategy.port).toBe(port);
  await strategy.close();
});

it('can listen again after it was closed', async () => {
  const { strategy, listen } = strategyAt(0);
  for (let round = 1; round <= 2; round += 1) {
    expect(await listen()).toBeUndefined();
    const client = clientOf(`127.0.0.1:${strategy.port}`);
    expect((await call(client, Unary, [text('')])).status).toBe('UNIMPLEMENTED');
    await strategy.close();
  }
});
