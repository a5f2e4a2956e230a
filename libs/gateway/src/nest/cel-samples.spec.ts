import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { GrpcModule } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { create, fromBinary, setExtension, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MessageOptionsSchema } from '@bufbuild/protobuf/wkt';
import {
  MessageRulesSchema,
  file_buf_validate_validate,
  message as messageRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import type { Operation } from '../openapi/document.js';
import { GatewayRef } from './gateway-ref.js';
import { GatewayModule } from './gateway.module.js';

/** The samples of the bodies of an app whose requests have a rule in CEL, and some that have none. */
async function bodies(expression: string, isValidated: boolean): Promise<readonly unknown[]> {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const file = set.file.find(({ name }) => name === 'transcoding/v1/transcoding.proto')!;
  const upload = file.messageType.find(({ name }) => name === 'Everything')!;
  const cel = [{ id: 'test', message: 'no', expression }];
  upload.options ??= create(MessageOptionsSchema);
  setExtension(upload.options, messageRules, create(MessageRulesSchema, { cel }));
  file.dependency.push(file_buf_validate_validate.proto.name);
  const descriptors = [file_buf_validate_validate, toBinary(FileDescriptorSetSchema, set)];
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
      GatewayModule.forRoot({}),
      ...(isValidated ? [ValidationModule.forRoot()] : []),
    ],
  })
  class App {}
  const { app } = await startHost(App, { http: { port: 0 } });
  const { paths } = app!.get(GatewayRef).openapi();
  return ['/v1/whole', '/v1/whole/{str}', '/v1/fail'].map((path) => {
    const { post, put } = paths[path] as Readonly<Record<string, Operation>>;
    const { content } = (post ?? put)!.requestBody as { content: Record<string, object> };
    return content['application/json'];
  });
}

const sample = expect.objectContaining({ example: expect.any(Object) });
const none = expect.not.objectContaining({ example: expect.anything() });

it.each<[string, boolean, readonly unknown[]]>([
  ['this.i32 == 1', true, [sample, sample, sample]],
  // With what the path gives, which is not in the body.
  ['this.str != "" && this.i32 == 1', true, [sample, sample, sample]],
  ['this.i32 == 2', true, [none, none, sample]],
  ['this.i32 == 1', false, [none, none, sample]],
])(
  'a body has a sample if its message keeps %s, validated %s',
  async (rule, validated, expected) => {
    expect(await bodies(rule, validated)).toEqual(expected);
  },
);
