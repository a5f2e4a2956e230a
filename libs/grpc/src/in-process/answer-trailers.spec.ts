import 'reflect-metadata';
import { StatusError, Code } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, GrpcMethod, GrpcStreamMethod, Payload } from '@nestjs/microservices';
import { type Observable, map, of, reduce } from 'rxjs';
import { channelOf, createClient } from '../../../grpc-client/src/client/create-client.js';
import type { ClientCallOptions } from '../../../grpc-client/src/call/call-options.js';
import type { Client } from '../../../grpc-client/src/client/client-types.js';
import {
  Probe,
  type ProbeService,
  TRANSPORTS,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { trailersOf } from './settle.js';

const RAW = Buffer.from([0xab, 0xab, 0xab]);

function answer(text: string, metadata: Metadata): Text {
  trailersOf(metadata).set('x-cost', '3');
  trailersOf(metadata).set('x-raw-bin', RAW);
  if (text !== 'fail') return { stringValue: text };
  throw new StatusError(Code.ABORTED, 'again', { trailers: { 'x-cost': '7', 'x-why': 'busy' } });
}

@Controller()
class Costly {
  @GrpcMethod('Probe', 'Unary')
  unary(@Payload() { stringValue }: Text, @Ctx() metadata: Metadata): Text {
    return answer(stringValue, metadata);
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream({ stringValue }: Text, metadata: Metadata): Observable<Text> {
    return of(stringValue).pipe(map((text) => answer(text, metadata)));
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(texts: Observable<Text>, metadata: Metadata): Observable<Text> {
    return texts.pipe(
      reduce((all, { stringValue }) => all + stringValue, ''),
      map((text) => answer(text, metadata)),
    );
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(texts: Observable<Text>, metadata: Metadata): Observable<Text> {
    return texts.pipe(map(({ stringValue }) => answer(stringValue, metadata)));
  }
}

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Call = (
  client: Client<ProbeService>,
  text: string,
  options: ClientCallOptions,
) => Promise<unknown>;

/** How each kind of method is called with one text. */
const CALLS = {
  unary: (client, stringValue, options) => client.unary({ stringValue }, options),
  serverStream: (client, stringValue, options) =>
    allOf(client.serverStream({ stringValue }, options)),
  clientStream: (client, stringValue, options) => client.clientStream([{ stringValue }], options),
  bidiStream: (client, stringValue, options) =>
    allOf(client.bidiStream([{ stringValue }], options)),
} satisfies Record<string, Call>;

async function allOf(answers: AsyncIterable<Text>): Promise<Text[]> {
  const all: Text[] = [];
  for await (const each of answers) all.push(each);
  return all;
}

describe.each(TRANSPORTS)('what a handler adds to the trailers, %s,', (transport) => {
  async function trailersFor(method: keyof typeof CALLS, text: string): Promise<object> {
    const { app } = await startHost(probeApp([Costly]), { http: false });
    const server = app!.get(GrpcServer);
    const client = createClient(
      Probe,
      transport === 'in-process'
        ? { server }
        : { endpoint: server.address, stack: transport === 'http2' ? 'http2' : 'grpc-js' },
    );
    open.push(() => channelOf(client).close());
    const trailers = await new Promise<Metadata>((resolve) => {
      CALLS[method](client, text, { onTrailers: resolve }).catch(() => {});
    });
    return Object.fromEntries(
      ['x-cost', 'x-why', 'x-raw-bin'].map((key) => [key, trailers.get(key)]),
    );
  }

  const methods = Object.keys(CALLS) as (keyof typeof CALLS)[];

  it.each(methods)('arrives with the status of a call that went well: %s', async (method) => {
    expect(await trailersFor(method, 'tea')).toEqual({
      'x-cost': ['3'],
      'x-why': [],
      'x-raw-bin': [RAW],
    });
  });

  it.each(methods)('arrives with an error next to its own, which win: %s', async (method) => {
    expect(await trailersFor(method, 'fail')).toEqual({
      'x-cost': ['7'],
      'x-why': ['busy'],
      'x-raw-bin': [RAW],
    });
  });
});
