import { ProtoRegistry } from '@apix/proto/core';
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';

type Of<Name extends string, Fields> = Message<`grpc.testing.${Name}`> & Fields;

type BoolValue = Of<'BoolValue', { value: boolean }>;
export type EchoStatus = Of<'EchoStatus', { code: number; message: string }>;
export type Payload = Of<'Payload', { body: Uint8Array }>;
export type Empty = Of<'Empty', object>;
export type SimpleRequest = Of<
  'SimpleRequest',
  {
    responseSize: number;
    payload?: Payload;
    responseCompressed?: BoolValue;
    responseStatus?: EchoStatus;
    expectCompressed?: BoolValue;
  }
>;
export type SimpleResponse = Of<'SimpleResponse', { payload?: Payload }>;
export type InputRequest = Of<
  'StreamingInputCallRequest',
  { payload?: Payload; expectCompressed?: BoolValue }
>;
export type InputResponse = Of<'StreamingInputCallResponse', { aggregatedPayloadSize: number }>;
type Parameters = Of<
  'ResponseParameters',
  { size: number; intervalUs: number; compressed?: BoolValue }
>;
export type OutputRequest = Of<
  'StreamingOutputCallRequest',
  { responseParameters: Parameters[]; payload?: Payload; responseStatus?: EchoStatus }
>;
export type OutputResponse = Of<'StreamingOutputCallResponse', { payload?: Payload }>;

interface Method<Kind, I extends Message, O extends Message> {
  methodKind: Kind;
  input: GenMessage<I>;
  output: GenMessage<O>;
}

/** As protobuf-es would generate it, as far as it is used here. */
export type TestService = GenService<{
  emptyCall: Method<'unary', Empty, Empty>;
  unaryCall: Method<'unary', SimpleRequest, SimpleResponse>;
  streamingOutputCall: Method<'server_streaming', OutputRequest, OutputResponse>;
  streamingInputCall: Method<'client_streaming', InputRequest, InputResponse>;
  fullDuplexCall: Method<'bidi_streaming', OutputRequest, OutputResponse>;
  halfDuplexCall: Method<'bidi_streaming', OutputRequest, OutputResponse>;
  unimplementedCall: Method<'unary', Empty, Empty>;
}>;

export type UnimplementedService = GenService<{
  unimplementedCall: Method<'unary', Empty, Empty>;
}>;

/** The services of a descriptor set of Debian's grpc-proto. */
export function loadServices(descriptors: string) {
  const { services } = ProtoRegistry.load(descriptors);
  const named = (name: string): unknown =>
    services.find(({ typeName }) => typeName === `grpc.testing.${name}`);
  return {
    TestService: named('TestService') as TestService,
    UnimplementedService: named('UnimplementedService') as UnimplementedService,
  };
}

export const INITIAL_KEY = 'x-grpc-test-echo-initial';
export const TRAILING_KEY = 'x-grpc-test-echo-trailing-bin';

export function zeros(size: number): { body: Uint8Array } {
  return { body: new Uint8Array(size) };
}
