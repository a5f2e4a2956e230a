// The tool of apix: an RPC with a policy in an app of Nest.
import 'reflect-metadata';
import { createWriteStream, readFileSync } from 'node:fs';
import { AuthzModule, type Subject } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { GrpcModule } from '@apix/grpc';
import { runHost } from '@apix/hostx';
import { LogxModule, streamSink } from '@apix/logx';
import { McpModule } from '@apix/mcp';
import { ProtoModule } from '@apix/proto';
import { create, fromBinary, setExtension, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptionsSchema } from '@bufbuild/protobuf/wkt';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { requires, RequirementSchema } from '../../libs/authz/src/gen/apix/authz/authz_pb.ts';
import { tool, ToolOptionsSchema } from '../../libs/mcp/src/gen/apix/mcp/mcp_pb.ts';
import { Announcer, CatalogController, HOST } from './catalog.ts';

/** The demo's services, where reading a product is a tool for readers. */
function descriptors(): Uint8Array {
  const bytes = new Uint8Array(readFileSync(process.env['DESCRIPTORS'] ?? ''));
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  const file = set.file.find(({ name }) => name === 'shop/v1/catalog.proto');
  const get = file?.service[0]?.method.find(({ name }) => name === 'Get');
  if (get === undefined) throw new Error('shop.v1.Catalog has no method Get');
  get.options ??= create(MethodOptionsSchema);
  const requirement = create(RequirementSchema, { roles: { anyOf: ['reader'] } });
  setExtension(get.options, requires, requirement);
  setExtension(get.options, tool, create(ToolOptionsSchema));
  return toBinary(FileDescriptorSetSchema, set);
}

const SUBJECTS: ReadonlyMap<string, Subject> = new Map([
  ['Bearer ada', { id: 'ada', roles: ['reader'], permissions: [] }],
]);

@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: descriptors() }),
    LogxModule.forRoot({ sinks: [streamSink(createWriteStream('/dev/null'))] }),
    AuthzModule.forRoot({
      conditions: celConditions(),
      subject: ({ metadata }) => SUBJECTS.get(metadata.get('authorization')[0] ?? '') ?? null,
    }),
    GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
    McpModule.forRoot(),
  ],
  controllers: [CatalogController],
  providers: [Announcer],
})
class ToolApp {}

await runHost(ToolApp, { ...HOST, adapter: new FastifyAdapter() });
