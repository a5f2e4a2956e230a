import { type MessageInitShape, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import {
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from '../gen/grpc/reflection/v1/reflection_pb.js';

type DialogueAnswer = MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse'];
type Question = ServerReflectionRequest['messageRequest'];

/** Answers a question with these bytes, or with this message; undefined never does. */
export type Script = (question: Question) => DialogueAnswer | Buffer | undefined;

/** A server of reflection that says what a test wants. */
export interface ScriptedReflection {
  readonly endpoint: string;
  stop(): void;
}

/** @param version of the protocol that it serves, such as `v1alpha`. */
export async function scriptedReflection(
  script: Script,
  version = 'v1',
): Promise<ScriptedReflection> {
  const server = new Server();
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const definition = {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  const converse = (call: ServerDuplexStream<Buffer, Buffer>): void => {
    call.on('data', (bytes: Buffer) => {
      const { messageRequest } = fromBinary(ServerReflectionRequestSchema, bytes);
      const answer = script(messageRequest);
      if (answer !== undefined) call.write(encode(answer));
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  };
  server.addService({ ServerReflectionInfo: definition }, { ServerReflectionInfo: converse });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { endpoint: `127.0.0.1:${port}`, stop: () => server.forceShutdown() };
}

function encode(answer: DialogueAnswer | Buffer): Buffer {
  if (Buffer.isBuffer(answer)) return answer;
  const response = create(ServerReflectionResponseSchema, { messageResponse: answer } as never);
  return Buffer.from(toBinary(ServerReflectionResponseSchema, response));
}

/** An answer with files. */
export function files(...protos: readonly MessageInitShape<typeof FileDescriptorProtoSchema>[]) {
  const encoded = protos.map((init) =>
    toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, init)),
  );
  return {
    case: 'fileDescriptorResponse' as const,
    value: { fileDescriptorProto: encoded },
  };
}

/** An answer with names of services. */
export function services(...names: readonly string[]): DialogueAnswer {
  const service = names.map((name) => ({ name }));
  return { case: 'listServicesResponse', value: { service } };
}

/** An answer that says no. */
export function failure(errorMessage: string): DialogueAnswer {
  return { case: 'errorResponse', value: { errorCode: 5, errorMessage } };
}

export type FileInit = MessageInitShape<typeof FileDescriptorProtoSchema> | FileDescriptorProto;
