import 'reflect-metadata';
import { Code, StatusError } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import { type Client, credentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { type Observable, map, firstValueFrom } from 'rxjs';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcService } from './grpc-service.decorator.js';

type TextSchema = GenMessage<Text & Message>;
type Method<Kind> = { methodKind: Kind; input: TextSchema; output: TextSchema };
const Probe = probe.services[0] as GenService<{
  unary: Method<'unary'>;
  serverStream: Method<'server_streaming'>;
  bidiStream: Method<'bidi_streaming'>;
}>;
const { unary, serverStream, bidiStream } = Probe.method;

const MANY = 5_000;
const KILOBYTE = 'k'.repeat(1_024);

/** One that looks at the values, as a logger's does. */
const interceptor: NestInterceptor = {
  intercept: (_, next) => next.handle().pipe(map((value: unknown) => value)),
};

let produced = 0;
let ended: () => void;

@GrpcService(Probe)
class Generators {
  unary(request: Text) {
    return request;
  }

  @UseInterceptors(interceptor)
  async *serverStream({ stringValue: asked }: Text) {
    produced = 0;
    try {
      while (produced < (asked === 'many' ? MANY : 3)) {
        yield { stringValue: `${++produced} ${asked === 'many' ? KILOBYTE : ''}`.trim() };
      }
      if (asked === 'fail') throw new StatusError(Code.ABORTED, 'enough');
    } finally {
      ended();
    }
  }

  async *bidiStream(requests: Observable<Text>) {
    const { stringValue } = await firstValueFrom(requests);
    yield* [{ stringValue }, { stringValue: 'bye' }];
  }
}

describe.each(['network', 'in-process'])(
  'an async generator, over the %s transport,',
  (transport) => {
    async function start(): Promise<{ client: Client; end: Promise<void> }> {
      const end = new Promise<void>((resolve) => (ended = resolve));
      const { app } = await startHost(probeApp([Generators]), { http: false });
      const server = app!.get(GrpcServer);
      const interceptors = transport === 'network' ? [] : [server.clientInterceptor()];
      const client = clientOf(server.address, credentials.createInsecure(), { interceptors });
      return { client, end };
    }

    it('answers with its values, in their order', async () => {
      const { client } = await start();
      const { status, messages } = await call(client, serverStream, [{}]);
      expect([status, ...messages.map((it) => (it as unknown as Text).stringValue)]).toEqual([
        'OK',
        '1',
        '2',
        '3',
      ]);
      expect(await call(client, bidiStream, [{ stringValue: 'hi' }])).toMatchObject({
        status: 'OK',
        messages: [{ stringValue: 'hi' }, { stringValue: 'bye' }],
      });
    });

    it('answers with its values and then with what it throws', async () => {
      const { client } = await start();
      const { status, details, messages } = await call(client, serverStream, [
        { stringValue: 'fail' },
      ]);
      expect({ status, details, count: messages.length }).toEqual({
        status: 'ABORTED',
        details: 'enough',
        count: 3,
      });
    });

    it('is asked for no more than a slow caller takes, and gives it everything', async () => {
      const { client } = await start();
      const { stream, answer } = openCall(client, serverStream);
      stream.pause();
      stream.end({ stringValue: 'many' });
      for (let turns = 0; turns < 50; turns += 1) await call(client, unary, [{}]);
      const ahead = produced;
      stream.resume();
      expect((await answer).messages).toHaveLength(MANY);
      expect(ahead).toBeGreaterThan(0);
      expect(ahead).toBeLessThan(1_000);
    });

    it('is ended when its caller cancels', async () => {
      const { client, end } = await start();
      const { stream, answer } = openCall(client, serverStream);
      stream.pause();
      stream.end({ stringValue: 'many' });
      for (let turns = 0; turns < 10; turns += 1) await call(client, unary, [{}]);
      stream.cancel();
      await end;
      expect((await answer).status).toBe('CANCELLED');
      expect(produced).toBeLessThan(1_000);
    });
  },
);
