import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import type { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  Inject,
  Injectable,
  Logger,
  Module,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { Ctx, GrpcMethod, Payload } from '@nestjs/microservices';
import { type Observable, from, lastValueFrom, map, toArray } from 'rxjs';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { Health } from '../../../grpc-client/src/gen/grpc/health/v1/health_pb.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcService } from './grpc-service.decorator.js';

type TextSchema = GenMessage<Text & Message>;
type Method<Kind> = { methodKind: Kind; input: TextSchema; output: TextSchema };

/** As protobuf-es generates it; the messages are whatever the descriptors say. */
const Probe = probe.services[0] as GenService<{
  unary: Method<'unary'>;
  serverStream: Method<'server_streaming'>;
  clientStream: Method<'client_streaming'>;
  bidiStream: Method<'bidi_streaming'>;
}>;
const { unary, serverStream, clientStream, bidiStream } = Probe.method;

/** What a call of a method of Probe comes to, whose controllers are these. */
async function answerOf(controllers: Type[], method: DescMethod = unary, ...sent: string[]) {
  const { app } = await startHost(probeApp(controllers), { http: false });
  const client = clientOf(app!.get(GrpcServer).address);
  const requests = sent.map((stringValue) => ({ stringValue }));
  const { status, messages } = await call(client, method, requests);
  return [status, ...(messages as unknown as Text[]).map(({ stringValue }) => stringValue)];
}

const text = (stringValue: string) => ({ stringValue });
const textOf = ({ stringValue }: Text): string => stringValue;

@GrpcService(Probe)
class Whole {
  readonly mark = '!';

  unary(request: Text, metadata: Metadata) {
    return text(textOf(request) + this.mark + metadata.get('x').length);
  }

  serverStream(request: Text) {
    return from(textOf(request)).pipe(map((letter) => text(letter + this.mark)));
  }

  async clientStream(requests: Observable<Text>) {
    const all = await lastValueFrom(requests.pipe(map(textOf), toArray()));
    return text(all.join('') + this.mark);
  }

  bidiStream(requests: Observable<Text>) {
    return requests.pipe(map((request) => text(textOf(request) + this.mark)));
  }
}

afterEach(() => void jest.restoreAllMocks());

/** Most of these controllers serve a part of the service. */
function silence() {
  return jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
}

describe('a controller of a generated service', () => {
  it.each([
    ['unary', unary, ['a'], ['a!0']],
    ['server streaming', serverStream, ['ab'], ['a!', 'b!']],
    ['client streaming', clientStream, ['a', 'b'], ['ab!']],
    ['bidirectional', bidiStream, ['a', 'b'], ['a!', 'b!']],
  ])('serves its %s method by the name of its own', async (_, method, sent, received) => {
    expect(await answerOf([Whole], method, ...sent)).toEqual(['OK', ...received]);
  });

  it('gets its dependencies, and keeps what other decorators said', async () => {
    silence();
    @Injectable()
    class Ending {
      readonly value = '?';
    }
    const seen: string[] = [];
    const guard: CanActivate = {
      canActivate: (context) => seen.push(context.getClass().name) > 0,
    };
    @GrpcService(Probe)
    @Controller()
    class Decorated {
      constructor(@Inject(Ending) private readonly ending: Ending) {}

      @UseGuards(guard)
      unary(@Payload() request: Text, @Ctx() context: Metadata) {
        return text(textOf(request) + this.ending.value + context.get('x').length);
      }
    }
    @Module({
      imports: [probeApp([])],
      controllers: [Decorated],
      providers: [Ending],
    })
    class App {}
    const { app: nest } = await startHost(App, { http: false });
    const client = clientOf(nest!.get(GrpcServer).address);
    expect(await call(client, unary, [text('a')])).toMatchObject({
      status: 'OK',
      messages: [text('a?0')],
    });
    expect(seen).toEqual(['Decorated']);
  });

  it('has handlers of the names that the class gave them, for guards and logs', () => {
    expect([Whole.prototype.unary.name, Whole.prototype.bidiStream.name]).toEqual([
      'unary',
      'bidiStream',
    ]);
  });

  it('serves what its parent class has, which other children may use for other services', async () => {
    silence();
    class Parent {
      unary(request: Text) {
        return text(`parent of ${textOf(request)}`);
      }
    }
    @GrpcService(Probe)
    class Child extends Parent {}
    expect(await answerOf([Child], unary, 'a')).toEqual(['OK', 'parent of a']);
    const { value } = Object.getOwnPropertyDescriptor(Parent.prototype, 'unary')!;
    expect(Reflect.getMetadataKeys(value as object)).toEqual([]);
  });

  it('has no handler in what every object has, or in a field', async () => {
    const warn = silence();
    @GrpcService(Probe)
    class Fields {
      unary = () => text('no method');

      serverStream() {
        return from([text('a')]);
      }
    }
    expect(await answerOf([Fields], unary, 'a')).toEqual(['UNIMPLEMENTED']);
    expect(warn.mock.calls[0]).toEqual([
      'no handler serves apix.testdata.Probe/Unary, apix.testdata.Probe/ClientStream, ' +
        'apix.testdata.Probe/BidiStream: callers get UNIMPLEMENTED',
    ]);
  });
});

describe('the app does not start', () => {
  it('with a service that is not in the descriptors of ProtoModule', async () => {
    @GrpcService(Health)
    class Other {
      check() {
        return {};
      }
    }
    await expect(answerOf([Other])).rejects.toThrow(
      'grpc: a handler serves grpc.health.v1.Health/Check, but the descriptors have no grpc.health.v1.Health',
    );
  });

  it('with two handlers of one method', async () => {
    silence();
    @Controller()
    class Second {
      @GrpcMethod('Probe', 'ServerStream')
      other() {
        return from([]);
      }
    }
    await expect(answerOf([Whole, Second])).rejects.toThrow(
      'grpc: apix.testdata.Probe/ServerStream has several handlers: keep one',
    );
  });
});
