import { Channel, Server, credentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { accepts, noteAcceptedEncodings } from './accepted-encodings.js';
import { readSpacedEncodings } from '../../../grpc-client/src/patches/accepted-by-server.js';

type Parts = Readonly<Record<string, unknown>>;

describe('the server of grpc-js', () => {
  it('has the part that is relied on to hear what callers accept', () => {
    const [server, other] = [new Server(), new Server()];
    const part = (of: Server): unknown => (of as unknown as Parts)['createHttp2Server'];
    const before = part(server);
    expect(typeof before).toBe('function');
    noteAcceptedEncodings(server);
    expect(part(server)).not.toBe(before);
    expect(part(other)).toBe(before);
  });

  it('knows nothing of a caller that it has not heard', () => {
    expect(accepts({}, 'gzip')).toBe(false);
  });
});

describe('a channel of grpc-js', () => {
  it('has the parts that are relied on to hear what servers accept', () => {
    const channel = new Channel('localhost:1', credentials.createInsecure(), {});
    const inner = (channel as unknown as Parts)['internalChannel'] as Parts;
    const stack = inner['filterStackFactory'] as Parts;
    const factories = stack['factories'] as readonly { createFilter(): object }[];
    expect(factories).toHaveLength(1);
    readSpacedEncodings(channel);
    const [filter] = factories.map((factory) => factory.createFilter());
    expect(Object.hasOwn(filter!, 'receiveMetadata')).toBe(true);
    expect(typeof (Object.getPrototypeOf(filter) as Parts)['receiveMetadata']).toBe('function');
    channel.close();
  });
});
