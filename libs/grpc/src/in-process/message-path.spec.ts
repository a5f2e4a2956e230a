import { create, fromBinary, isMessage, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import {
  Health,
  HealthCheckRequestSchema as Request,
  HealthCheckResponseSchema as Response,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../gen/grpc/health/v1/health_pb.js';
import { CopiedMessages, HandedOverMessages, type MessagePath } from './message-path.js';
import { servedHandler } from './served-handler.js';

const desc = Health.method.check;
const path = '/grpc.health.v1.Health/Check';

const handler = servedHandler(
  path,
  'unary',
  () => undefined,
  {
    deserialize: (bytes) => fromBinary(Request, bytes),
    serialize: (message) => Buffer.from(toBinary(Response, create(Response, message))),
  },
  desc,
);

/** A client that has text for requests and responses. */
const textClient = {
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: (service: string) =>
    Buffer.from(toBinary(Request, create(Request, { service }))),
  responseDeserialize: (bytes: Buffer) => ServingStatus[fromBinary(Response, bytes).status],
};

const copied = new CopiedMessages(textClient, handler);
const handedOver = new HandedOverMessages(desc, copied);

const requestThrough = (way: MessagePath, message: unknown): unknown =>
  way.openRequest(way.packRequest(message));
const responseThrough = (way: MessagePath, message: unknown): unknown =>
  way.openResponse(way.packResponse(message));

describe('messages that are copied', () => {
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

describe('messages that are handed over', () => {
  it('are the very objects', () => {
    const request = create(Request, { service: 'shop' });
    const response = create(Response, { status: ServingStatus.SERVING });
    expect(requestThrough(handedOver, request)).toBe(request);
    expect(responseThrough(handedOver, response)).toBe(response);
  });

  it('become messages where a handler answers in the shape of one', () => {
    const response = responseThrough(handedOver, { status: ServingStatus.SERVING });
    expect(isMessage(response, Response)).toBe(true);
    expect(response).toEqual(create(Response, { status: ServingStatus.SERVING }));
    expect(responseThrough(handedOver, undefined)).toEqual(create(Response));
  });

  it('go through the codecs where a request is no message of the method', () => {
    expect(requestThrough(handedOver, 'shop')).toEqual(create(Request, { service: 'shop' }));
  });
});
