// The gRPC server of apix: `node grpc-app.mjs untraced|sampled|unsampled`.
import 'reflect-metadata';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { OnStarted, runHost } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { Inject, Injectable, Module } from '@nestjs/common';
import { answersIn, messages } from '../grpc/answers.ts';
import { ANSWERS, ShopController } from '../grpc/controller.ts';
import { serving, tracing } from './traced.ts';

@Injectable()
class Announcer {
  constructor(@Inject(GrpcServer) private readonly grpc: GrpcServer) {}

  @OnStarted()
  announce(): void {
    serving(this.grpc.port);
  }
}

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: process.env['SHAPES'] ?? '' }),
    GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
    ...tracing(process.argv[2]),
  ],
  controllers: [ShopController],
  providers: [{ provide: ANSWERS, useFactory: () => answersIn(messages()) }, Announcer],
})
class Shop {}

await runHost(Shop, { nest: { logger: false }, http: false, drain: { delay: 0 } });
