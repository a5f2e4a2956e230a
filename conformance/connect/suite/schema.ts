import { readFileSync } from 'node:fs';
import {
  type DescMessage,
  type DescMethod,
  type Message,
  createFileRegistry,
  createRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import {
  type Any,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

const PACKAGE = 'connectrpc.conformance.v1';
export const SERVICE = `${PACKAGE}.ConformanceService`;

/** The suite's own protos, compiled from its folder. */
export const descriptorFile = process.env['CONNECT_DESCRIPTORS']!;
export const registry = createRegistry(
  createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptorFile))),
  // A case of the suite has its messages, which its protos do not import.
  FileDescriptorProtoSchema,
);

type Of<Name extends string, Fields> = Message<`connectrpc.conformance.v1.${Name}`> & Fields;

export type Header = Of<'Header', { name: string; value: string[] }>;
export type RpcFailure = Of<'Error', { code: number; message?: string; details: Any[] }>;
export type RequestInfo = Of<
  'ConformancePayload.RequestInfo',
  {
    requestHeaders: Header[];
    timeoutMs?: bigint;
    requests: Any[];
    connectGetInfo?: Message & { queryParams: Header[] };
  }
>;
export type Payload = Of<'ConformancePayload', { data: Uint8Array; requestInfo?: RequestInfo }>;
export type UnaryPlan = Of<
  'UnaryResponseDefinition',
  {
    responseHeaders: Header[];
    response:
      | { case: 'responseData'; value: Uint8Array }
      | { case: 'error'; value: RpcFailure }
      | { case: undefined; value?: undefined };
    responseTrailers: Header[];
    responseDelayMs: number;
  }
>;
export type StreamPlan = Of<
  'StreamResponseDefinition',
  {
    responseHeaders: Header[];
    responseData: Uint8Array[];
    responseDelayMs: number;
    error?: RpcFailure;
    responseTrailers: Header[];
  }
>;
type Request<Name extends string, Plan> = Of<
  Name,
  { responseDefinition?: Plan; requestData: Uint8Array }
>;
export type UnaryRequest = Request<'UnaryRequest', UnaryPlan>;
export type IdempotentUnaryRequest = Request<'IdempotentUnaryRequest', UnaryPlan>;
export type ClientStreamRequest = Request<'ClientStreamRequest', UnaryPlan>;
export type ServerStreamRequest = Request<'ServerStreamRequest', StreamPlan>;
export type BidiStreamRequest = Request<'BidiStreamRequest', StreamPlan> & { fullDuplex: boolean };
export type Answer = Message & { payload?: Payload };

export type MessageContents = Of<
  'MessageContents',
  {
    data:
      | { case: 'binary'; value: Uint8Array }
      | { case: 'text'; value: string }
      | { case: 'binaryMessage'; value: Any }
      | { case: undefined; value?: undefined };
    compression: number;
  }
>;
type StreamItem = Message & { flags: number; length?: number; payload?: MessageContents };
export type RawRequest = Of<
  'RawHTTPRequest',
  {
    verb: string;
    uri: string;
    headers: Header[];
    rawQueryParams: Header[];
    encodedQueryParams: (Message & {
      name: string;
      value?: MessageContents;
      base64Encode: boolean;
    })[];
    body:
      | { case: 'unary'; value: MessageContents }
      | { case: 'stream'; value: Message & { items: StreamItem[] } }
      | { case: undefined; value?: undefined };
  }
>;
/** A call that a client makes. */
export type ClientCall = Of<
  'ClientCompatRequest',
  {
    testName: string;
    service?: string;
    method?: string;
    streamType: number;
    useGetHttpMethod: boolean;
    requestHeaders: Header[];
    requestMessages: Any[];
    timeoutMs?: number;
    requestDelayMs: number;
    rawRequest?: RawRequest;
  }
>;
/** What a client must get. */
export type Expected = Of<
  'ClientResponseResult',
  {
    responseHeaders: Header[];
    payloads: Payload[];
    error?: RpcFailure;
    responseTrailers: Header[];
    httpStatusCode?: number;
  }
>;
export type TestCase = Of<
  'TestCase',
  {
    request?: ClientCall;
    expandRequests: (Message & { sizeRelativeToLimit?: number })[];
    expectedResponse?: Expected;
    otherAllowedErrorCodes: number[];
  }
>;
export type TestSuite = Of<
  'TestSuite',
  {
    name: string;
    mode: number;
    testCases: TestCase[];
    relevantProtocols: number[];
    relevantHttpVersions: number[];
    relevantCodecs: number[];
    relevantCompressions: number[];
    connectVersionMode: number;
    reliesOnTls: boolean;
    reliesOnTlsClientCerts: boolean;
    reliesOnConnectGet: boolean;
    reliesOnMessageReceiveLimit: boolean;
  }
>;

/** A message of the suite, as protobuf-es would generate it as far as it is used here. */
export function schemaOf<M extends Message>(name: string): GenMessage<M> {
  return messageOf(`${PACKAGE}.${name}`) as GenMessage<M>;
}

export function messageOf(typeName: string): DescMessage {
  const found = registry.getMessage(typeName);
  if (found === undefined) throw new Error(`the suite's protos have no message ${typeName}`);
  return found;
}

interface Method<Kind, I extends Message, O extends Message> {
  methodKind: Kind;
  input: GenMessage<I>;
  output: GenMessage<O>;
}

export type ConformanceService = GenService<{
  unary: Method<'unary', UnaryRequest, Answer>;
  idempotentUnary: Method<'unary', IdempotentUnaryRequest, Answer>;
  serverStream: Method<'server_streaming', ServerStreamRequest, Answer>;
  clientStream: Method<'client_streaming', ClientStreamRequest, Answer>;
  bidiStream: Method<'bidi_streaming', BidiStreamRequest, Answer>;
}>;

export const service = registry.getService(SERVICE) as unknown as ConformanceService;

export function methodOf(name: string): DescMethod {
  const found: DescMethod | undefined = service.methods.find((method) => method.name === name);
  if (found === undefined) throw new Error(`the suite's protos have no method ${name}`);
  return found;
}

export const HeaderSchema = schemaOf<Header>('Header');
export const PayloadSchema = schemaOf<Payload>('ConformancePayload');
export const RequestInfoSchema = schemaOf<RequestInfo>('ConformancePayload.RequestInfo');
export const ExpectedSchema = schemaOf<Expected>('ClientResponseResult');
export const ErrorSchema = schemaOf<RpcFailure>('Error');
export const TestSuiteSchema = schemaOf<TestSuite>('TestSuite');
