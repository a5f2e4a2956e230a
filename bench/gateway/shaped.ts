// A gRPC server with REST in front, in this process or in another: `ROLE=backend|network|in-process`.
import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { runHost } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { Module } from '@nestjs/common';
import { answersIn, messages } from '../grpc/answers.ts';
import { ANSWERS, ShopController } from '../grpc/controller.ts';
import { BackendAnnouncer, GatewayAnnouncer, HOST } from './catalog.ts';

const role = process.env['ROLE'];
const endpoint = process.env['BACKEND'];

const RULES = [
  { selector: 'bench.shapes.Shop.Get', get: '/v1/{name=products/*}' },
  { selector: 'bench.shapes.Shop.List', get: '/v1/products' },
  { selector: 'bench.shapes.Shop.Mapped', get: '/v1/maps' },
  { selector: 'bench.shapes.Shop.Put', post: '/v1/products', body: '*' },
  { selector: 'bench.shapes.Shop.Watch', get: '/v1/stream' },
];

const gateway = GatewayModule.forRoot({
  rules: RULES,
  port: 0,
  host: '127.0.0.1',
  ...(endpoint !== undefined && { endpoint }),
});
const grpc = GrpcModule.forRoot({ port: 0, host: '127.0.0.1' });

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: process.env['SHAPES'] ?? '' }),
    ...(role === 'network' ? [] : [grpc]),
    ...(role === 'backend' ? [] : [gateway]),
  ],
  controllers: role === 'network' ? [] : [ShopController],
  providers: [
    { provide: ANSWERS, useFactory: () => answersIn(messages()) },
    role === 'backend' ? BackendAnnouncer : GatewayAnnouncer,
  ],
})
class Shaped {}

await runHost(Shaped, HOST);
