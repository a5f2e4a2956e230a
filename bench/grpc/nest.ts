// Nest's own transport, as its documentation has it.
import 'reflect-metadata';
import { freePort } from '../../tools/testing/free-port.ts';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type GrpcOptions, Transport } from '@nestjs/microservices';
import { answersIn } from './answers.ts';
import { ANSWERS, ShopController } from './controller.ts';
import { serving } from './serving.ts';

@Module({
  controllers: [ShopController],
  providers: [
    { provide: ANSWERS, useFactory: () => answersIn((_, document) => document as object) },
  ],
})
class Shop {}

const port = await freePort();
const app = await NestFactory.createMicroservice<GrpcOptions>(Shop, {
  transport: Transport.GRPC,
  options: {
    package: 'bench.shapes',
    protoPath: process.env['PROTO'] ?? '',
    url: `127.0.0.1:${port}`,
    loader: { longs: String, enums: String },
  },
  logger: false,
});
await app.listen();
serving(port);
