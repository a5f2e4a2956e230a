import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Injectable,
  type PipeTransform,
  Scope,
  type Type,
  UsePipes,
} from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod, Payload } from '@nestjs/microservices';
import { concatMap, from, map, type Observable, of, reduce, toArray } from 'rxjs';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { overEachStack, probeApp, StreamCallController } from '../probe.fixture.js';
import type { LoaderOptions } from '../loader/loader-options.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcService } from './grpc-service.decorator.js';

const service = probe.services[0]!;
const [Unary, ServerStream, ClientStream, BidiStream] = service.methods;
type ProbeService = GenService<{
  unary: {
    methodKind: 'unary';
    input: GenMessage<{ readonly stringValue?: string } & Message>;
    output: GenMessage<Message>;
  };
}>;
const LOADER: LoaderOptions = { keepCase: true, longs: String, enums: String, oneofs: true };

interface Kinds {
  readonly string_value?: string;
  readonly int64_value?: string;
  readonly colour?: string;
}

/** Adds what it got to what comes after, as a pipe that validates would see it. */
@Injectable()
class Seen implements PipeTransform {
  transform(value: object): object {
    return { ...value, string_list: Object.keys(value) };
  }
}

@Controller()
class ByLoader {
  @GrpcMethod('Probe', 'Unary')
  @UsePipes(Seen)
  async unary(@Payload() kinds: Kinds): Promise<object | undefined> {
    if (kinds.string_value === 'none') return undefined;
    return kinds.string_value === 'wrong' ? { stringValue: 'x' } : kinds;
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream(kinds: Kinds): Observable<unknown> {
    return of(kinds, Promise.resolve({ colour: 'COLOUR_BLUE' }), { choice_text: 'last' });
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(all: Observable<Kinds>): Observable<Kinds> {
    return all.pipe(
      reduce((sum, { int64_value = '0' }) => sum + BigInt(int64_value), 0n),
      map((sum) => ({ int64_value: String(sum) })),
    );
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(all: Observable<Kinds>): Observable<Kinds> {
    return all.pipe(
      toArray(),
      concatMap((each) => from(each)),
    );
  }
}

@Controller({ scope: Scope.REQUEST })
@GrpcService(service as ProbeService)
class Generated {
  unary(kinds: { readonly stringValue?: string }): object {
    return { stringValue: kinds.stringValue ?? '' };
  }
}

async function clientFor(controller: Type, loader: LoaderOptions = LOADER) {
  const { app } = await startHost(probeApp([controller], { loader }), { http: false });
  return clientOf(app!.get(GrpcServer).address);
}

overEachStack(() => {
  describe('with the option loader, a handler', () => {
    it('of a unary call gets and answers objects of proto-loader, and its pipes see them', async () => {
      const request = { stringValue: 'tea', int64Value: 9007199254740993n, colour: 1 };
      const { status, messages } = await call(await clientFor(ByLoader), Unary, [request]);
      const seen = { stringList: ['int64_value', 'string_value', 'colour'] };
      expect({ status, messages }).toEqual({
        status: 'OK',
        messages: [expect.objectContaining({ ...request, ...seen })],
      });
    });

    it('of a stream of answers emits objects, and promises of them', async () => {
      const { messages } = await call(await clientFor(ByLoader), ServerStream, [
        { stringValue: 'a' },
      ]);
      expect(messages).toEqual([
        expect.objectContaining({ stringValue: 'a' }),
        expect.objectContaining({ colour: -5 }),
        expect.objectContaining({ choice: { case: 'choiceText', value: 'last' } }),
      ]);
    });

    it('of a stream of requests gets objects', async () => {
      const client = await clientFor(ByLoader);
      const requests = [{ int64Value: 3n }, {}, { int64Value: 4n }];
      const sum = await call(client, ClientStream, requests);
      expect(sum.messages).toEqual([expect.objectContaining({ int64Value: 7n })]);
      const back = await call(client, BidiStream, requests);
      expect(back.messages).toEqual(requests.map((each) => expect.objectContaining(each)));
    });

    it('that answers with nothing sends the empty message', async () => {
      const { status } = await call(await clientFor(ByLoader), Unary, [{ stringValue: 'none' }]);
      expect(status).toBe('OK');
    });

    it('that answers with other names is an internal error', async () => {
      const answer = await call(await clientFor(ByLoader), Unary, [{ stringValue: 'wrong' }]);
      expect(answer).toMatchObject({ status: 'INTERNAL', messages: [] });
    });

    it('of a generated service gets messages, also if it is made for each call', async () => {
      const { messages } = await call(await clientFor(Generated), Unary, [{ stringValue: 'tea' }]);
      expect(messages).toEqual([expect.objectContaining({ stringValue: 'tea' })]);
    });

    it('of @GrpcStreamCall is refused at the start', async () => {
      await expect(clientFor(StreamCallController)).rejects.toThrow(
        'Probe/ClientStream has a handler of @GrpcStreamCall, which the option loader does not support: use @GrpcStreamMethod',
      );
    });
  });
});

it('the option loader takes the constructors that proto-loader takes', async () => {
  const wrong = { longs: 'string', keepCase: 1, includeDirs: [] } as unknown as LoaderOptions;
  await expect(clientFor(ByLoader, wrong)).rejects.toThrow(
    'must be the constructor String or Number',
  );
});
