import { type DescMethod, create, fromBinary, isMessage, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { serviceDefinition } from '../descriptor/service-definition.js';
import {
  Health,
  HealthCheckRequestSchema as Request,
  HealthCheckResponseSchema as Response,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../../grpc-client/src/gen/grpc/health/v1/health_pb.js';
import { type CallersCodec, MessagePath } from './message-path.js';
import { servedHandler } from './served-handler.js';

const desc = Health.method.check;
const path = '/grpc.health.v1.Health/Check';
const ours = serviceDefinition(Health)['Check']!;

const theirCodec = {
  deserialize: (bytes: Buffer) => fromBinary(Request, bytes),
  serialize: (message: object) => Buffer.from(toBinary(Response, create(Response, message))),
};
const ourCodec = { deserialize: ours.requestDeserialize, serialize: ours.responseSerialize };

/** A client that has text for requests and responses. */
const textClient = {
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: (service: string) =>
    Buffer.from(toBinary(Request, create(Request, { service }))),
  responseDeserialize: (bytes: Buffer) => ServingStatus[fromBinary(Response, bytes).status],
};
const NO_LIMITS = { request: Infinity, sent: Infinity, response: Infinity };

const pathOf = (
  client: CallersCodec,
  codec: typeof theirCodec | typeof ourCodec,
  limits = NO_LIMITS,
): MessagePath => {
  const handler = servedHandler(path, 'unary', () => undefined, codec, desc);
  return new MessagePath(client, handler, limits);
};

const copied = pathOf(textClient, theirCodec);
/** Of a caller with messages of protobuf-es. */
const callerOf = (method: DescMethod): CallersCodec => ({ ...textClient, method });
const handedOver = pathOf(callerOf(desc), theirCodec);
const shared = pathOf(ours, ourCodec);

const requestThrough = (way: MessagePath, message: unknown): unknown =>
  way.openRequest(way.packRequest(message));
const responseThrough = (way: MessagePath, message: unknown): unknown =>
  way.openResponse(way.packResponse(message));

describe('messages between codecs of others', () => {
  it('go through the codecs of both ends', () => {
    expect(requestThrough(copied, 'shop')).toEqual(create(Request, { service: 'shop' }));
    expect(responseThrough(copied, { status: 1 })).toBe('SERVING');
  });

  it('are packed when they are sent, so that later changes do not travel', () => {
    const response = create(Response, { status: ServingStatus.SERVING });
    const packed = copied.packResponse(response);
    response.status = ServingStatus.NOT_SERVING;
    expect(copied.openResponse(packed)).toBe('SERVING');
  });
});

describe.each([
  ['are handed over', handedOver],
  ['have one codec at both ends', shared],
])('messages that %s', (_, way) => {
  it('are copied without bytes', () => {
    const request = create(Request, { service: 'shop' });
    const response = create(Response, { status: ServingStatus.SERVING });
    const packed = [way.packRequest(request), way.packResponse(response)];
    expect(packed).toEqual([request, response]);
    request.service = 'changed';
    response.status = ServingStatus.UNKNOWN;
    expect(way.openRequest(packed[0])).toEqual(create(Request, { service: 'shop' }));
    expect(way.openResponse(packed[1])).toMatchObject({ status: ServingStatus.SERVING });
  });

  it('go through the codecs where only the wire can tell what they are', () => {
    const odd = { ...create(Response, { status: ServingStatus.SERVING }), more: 1 };
    const packed = way.packResponse(odd);
    expect(Buffer.isBuffer(packed)).toBe(true);
    expect(shared.openResponse(packed)).toEqual(
      create(Response, { status: ServingStatus.SERVING }),
    );
  });
});

describe('requests that were read from text', () => {
  const request = create(Request, { service: 'shop' });

  it('arrive as they are', () => {
    expect(handedOver.openRequest(handedOver.packRequest(request, 10))).toBe(request);
  });

  it('are measured where the text does not say that they are small enough', () => {
    const limited = pathOf(callerOf(desc), theirCodec, { ...NO_LIMITS, request: 12 });
    expect(limited.packRequest(request, 10)).toBe(request);
    expect(limited.packRequest(request, Infinity)).toBe(request);
  });

  it.each<[string, CallersCodec, object]>([
    ['of another type', callerOf({ ...desc, input: Response }), request],
    ['of another copy of the type', callerOf({ ...desc, input: { ...Request } }), request],
    ['that are no message', callerOf(desc), { service: 'shop' }],
    ['of a client with codecs of its own', ours, request],
  ])('are copied or written when they are said to be %s', (_, client, message) => {
    expect(pathOf(client, ourCodec).packRequest(message, 10)).not.toBe(message);
  });

  it('go through the codecs where they are too large', () => {
    const limited = pathOf({ ...ours, method: desc }, ourCodec, { ...NO_LIMITS, request: 100 });
    const large = create(Request, { service: 's'.repeat(200) });
    const packed = limited.packRequest(large, 300);
    expect(Buffer.isBuffer(packed)).toBe(true);
  });
});

describe('messages that may be too large', () => {
  it('go through the codecs, whose bytes can be counted', () => {
    const limited = pathOf(ours, ourCodec, { ...NO_LIMITS, request: 100 });
    const message = create(Request, { service: 's'.repeat(60) });
    expect(Buffer.isBuffer(limited.packRequest(message))).toBe(true);
    expect(Buffer.isBuffer(shared.packRequest(message))).toBe(false);
  });
});

describe('objects in the shape of a message', () => {
  it('become messages without bytes where both ends have one codec', () => {
    const packed = shared.packResponse({ status: ServingStatus.SERVING });
    expect(Buffer.isBuffer(packed)).toBe(false);
    expect(isMessage(packed, Response)).toBe(true);
    expect(shared.packResponse(undefined)).toEqual(create(Response));
  });

  it('are for the codec of the server where that is of others', () => {
    expect(Buffer.isBuffer(handedOver.packResponse({ status: 1 }))).toBe(true);
    expect(responseThrough(handedOver, { status: 1 })).toBe('SERVING');
  });

  it('are for the codec of the client, as it has requests of its own', () => {
    expect(requestThrough(handedOver, 'shop')).toEqual(create(Request, { service: 'shop' }));
  });
});
