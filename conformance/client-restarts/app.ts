import 'reflect-metadata';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import {
  type Client,
  type GrpcClientOptions,
  GrpcClientModule,
  InjectClient,
} from '@apix/grpc-client';
import { HostxModule, runHost } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { type INestApplication, Controller, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, from, lastValueFrom } from 'rxjs';
import type { ProbeService } from '../../libs/grpc-client/src/client/probe-service.fixture.js';
import { DESCRIPTORS, Probe } from './probe.js';

/**
 * One of the processes: `app.mjs <A|B|C> <port> <port of the next one, or 0> <stack of its calls>`. A and B pass calls on,
 * A with retries where its stack has them; C says on its standard output which calls it has had. Says `ready <port>` at its start.
 */
const [, , name, port, next, stack] = process.argv;
const HOST = '127.0.0.1';

/** As of A: B is restarted under its calls. */
const PATIENT: Partial<GrpcClientOptions<ProbeService>> = {
  waitForReady: true,
  // Only grpc-js has policies of retries.
  ...(stack !== 'http2' && {
    methods: { unary: { idempotent: true, retry: { attempts: 5, initialBackoff: '20ms' } } },
  }),
  channelOptions: {
    'grpc.initial_reconnect_backoff_ms': 50,
    'grpc.max_reconnect_backoff_ms': 200,
  },
};

interface Text {
  readonly stringValue: string;
}

@Controller()
class Passing {
  constructor(@InjectClient(Probe) private readonly next: Client<ProbeService>) {}

  @GrpcMethod('Probe', 'Unary')
  async unary({ stringValue }: Text): Promise<Text> {
    return this.next.unary({ stringValue });
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(texts: Observable<Text>): Observable<Text> {
    const passOn = async (): Promise<Text> => {
      const { stringValue } = await lastValueFrom(texts);
      return this.next.clientStream([{ stringValue }]);
    };
    return from(passOn());
  }
}

@Controller()
class Counting {
  @GrpcMethod('Probe', 'Unary')
  unary({ stringValue }: Text): Text {
    process.stdout.write(`had ${stringValue}\n`);
    return { stringValue };
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  clientStream(texts: Observable<Text>): Observable<Text> {
    return from(lastValueFrom(texts).then((text) => this.unary(text)));
  }
}

const client: GrpcClientOptions<ProbeService> = {
  endpoint: `${HOST}:${next}`,
  health: false,
  stack: stack === 'http2' ? 'http2' : 'grpc-js',
  ...(name === 'A' && PATIENT),
};

@Module({
  imports: [
    HostxModule.forRoot({ logger: null }),
    ProtoModule.forRoot({ descriptors: DESCRIPTORS }),
    GrpcModule.forRoot({ port: Number(port), host: HOST }),
    ...(name === 'C' ? [] : [GrpcClientModule.forFeature(Probe, client)]),
  ],
  controllers: name === 'C' ? [Counting] : [Passing],
})
class Hop {}

let app: INestApplication;
await runHost(Hop, {
  nest: { logger: false },
  http: false,
  drain: { delay: 0 },
  configure: (created) => void (app = created),
  extend: (builder) =>
    void builder.onStarted(() => {
      process.stdout.write(`ready ${app.get(GrpcServer).port}\n`);
    }),
});
