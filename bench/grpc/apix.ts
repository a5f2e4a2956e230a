// The gRPC server of apix, bare or with the log and the authorization of a service:
// `node apix.mjs bare|chain [http2]`.
import 'reflect-metadata';
import { AuthzModule } from '@apix/authz';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { OnStarted, runHost } from '@apix/hostx';
import { LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { answersIn, messages } from './answers.ts';
import { ANSWERS, ShopController } from './controller.ts';
import { serving } from './serving.ts';

const isBare = process.argv[2] === 'bare';
const stack = process.argv[3] === 'http2' ? 'http2' : 'grpc-js';

@Injectable()
class Announcer {
  constructor(@Inject(GrpcServer) private readonly grpc: GrpcServer) {}

  @OnStarted()
  announce(): void {
    serving(this.grpc.port);
  }
}

const chain = (): DynamicModule[] => [
  LogxModule.forRoot({ sinks: [{ type: 'file', path: process.env['LOG'] ?? '' }] }),
  AuthzModule.forRoot({
    subject: ({ metadata }) => ({ roles: metadata.get('x-role'), permissions: [] }),
  }),
];

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: process.env[isBare ? 'SHAPES' : 'GUARDED'] ?? '' }),
    GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack }),
    ...(isBare ? [] : chain()),
  ],
  controllers: [ShopController],
  providers: [{ provide: ANSWERS, useFactory: () => answersIn(messages()) }, Announcer],
})
class Shop {}

await runHost(Shop, {
  nest: { logger: false },
  http: { port: 0, host: '127.0.0.1' },
  drain: { delay: 0 },
});
