import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Code, StatusError } from '@apix/contracts';
import { connectGrpc, GrpcModule } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { McpModule } from '@apix/mcp';
import { ProtoModule } from '@apix/proto';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import { from } from 'rxjs';

/** Seen from the bundle, four folders below the root of the repository. */
const DESCRIPTORS = new URL('../../../../conformance/mcp/gen/suite.binpb', import.meta.url);

const said = { text: 'This is a simple text response for testing.' };

@Controller()
class Suite {
  @GrpcMethod('suite.v1.Suite', 'Say')
  say() {
    return said;
  }

  @GrpcMethod('suite.v1.Suite', 'Fail')
  fail(): never {
    throw new StatusError(Code.FAILED_PRECONDITION, 'this tool always fails');
  }

  @GrpcMethod('suite.v1.Suite', 'Tell')
  tell() {
    return from(['one', 'two', 'three'].map((text) => ({ text })));
  }

  @GrpcMethod('suite.v1.Suite', 'Log')
  log() {
    return said;
  }

  @GrpcMethod('suite.v1.Suite', 'Stream')
  stream() {
    return from([said, said]);
  }
}

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(DESCRIPTORS)) }),
    GrpcModule.forRoot({ port: 0 }),
    McpModule.forRoot({ name: 'suite' }),
    HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
  ],
  controllers: [Suite],
})
class SuiteModule {}

/** Starts the app under test, without policies, on a free port. */
export async function startSuite(): Promise<{ app: INestApplication; url: string }> {
  const app = await NestFactory.create(SuiteModule, { logger: false, abortOnError: false });
  connectGrpc(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return { app, url: `http://localhost:${port}/mcp` };
}
