// Nest's own transport, as its documentation has it.
import 'reflect-metadata';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
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

/** Nest does not say which port it was given. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

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
