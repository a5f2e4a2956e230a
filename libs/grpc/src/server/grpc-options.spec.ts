import { ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { GrpcSetupError } from '../errors.js';
import { CA_CERT, SERVER_CERT, SERVER_KEY, STRANGER_KEY } from './certificates.fixture.js';
import { type GrpcOptions, resolveGrpcOptions } from './grpc-options.js';

function mistakesOf(options: GrpcOptions): readonly string[] {
  try {
    resolveGrpcOptions(options);
    return [];
  } catch (error) {
    return error instanceof GrpcSetupError ? error.mistakes : [String(error)];
  }
}

describe('the options', () => {
  it('have safe defaults', () => {
    expect(resolveGrpcOptions({})).toEqual({
      port: 50_051,
      host: '0.0.0.0',
      credentials: expect.any(ServerCredentials),
      health: true,
      healthIntervalMs: 5_000,
      reflection: false,
      unenforcedPolicies: 'refuse',
      interceptors: [],
      channelOptions: {
        'grpc.max_receive_message_length': 4 * 1024 * 1024,
        'grpc.max_send_message_length': -1,
        'grpc.max_concurrent_streams': 1000,
        'grpc.keepalive_time_ms': 60_000,
        'grpc.keepalive_timeout_ms': 20_000,
      },
    });
  });

  it('become options of grpc-js, and those given in its words win', () => {
    const { channelOptions } = resolveGrpcOptions({
      maxReceiveBytes: 1,
      maxSendBytes: 2,
      maxConcurrentStreams: 3,
      keepAlive: { interval: 0, timeout: '1s' },
      maxConnectionAge: '60d',
      channelOptions: { 'grpc.max_send_message_length': 4 },
    });
    expect(channelOptions).toEqual({
      'grpc.max_receive_message_length': 1,
      'grpc.max_send_message_length': 4,
      'grpc.max_concurrent_streams': 3,
      'grpc.keepalive_time_ms': 0,
      'grpc.keepalive_timeout_ms': 1_000,
      // A timer's most: a longer delay would fire at once.
      'grpc.max_connection_age_ms': 2 ** 31 - 1,
    });
  });

  it('are refused with all their mistakes at once', () => {
    const no = '; write milliseconds or a text such as "500ms", "10s" or "1m30s"';
    expect(
      mistakesOf({
        port: 65_536,
        host: '',
        maxReceiveBytes: 0,
        channelOptions: { interceptors: [] },
        maxSendBytes: 1.5,
        maxConcurrentStreams: -1,
        keepAlive: { interval: '1 minute', timeout: -1 },
        maxConnectionAge: '',
        healthInterval: 0,
        tls: { cert: SERVER_CERT, key: 'nothing.pem' },
        credentials: ServerCredentials.createInsecure(),
      }),
    ).toEqual([
      'port: 65536 is none; write an integer from 0 to 65535',
      'host: is empty; leave it out to listen at every address',
      'give either tls or credentials',
      "tls.key: ENOENT: no such file or directory, open 'nothing.pem'",
      'healthInterval: must be at least 1 ms',
      'channelOptions.interceptors: give them as the option interceptors',
      'maxReceiveBytes: 0 is no positive integer',
      'maxSendBytes: 1.5 is no positive integer',
      'maxConcurrentStreams: -1 is no positive integer',
      `keepAlive.interval: "1 minute" is no duration${no}`,
      `keepAlive.timeout: -1 is no duration${no}`,
      `maxConnectionAge: "" is no duration${no}`,
    ]);
  });

  it.each<[string, GrpcOptions['tls'], readonly string[]]>([
    [
      'that are none',
      { cert: SERVER_KEY, key: Buffer.from('key'), clientCa: '-----BEGIN nothing' },
      [
        'tls.cert: holds no certificate in PEM form',
        'tls.key: holds no private key in PEM form',
        'tls.clientCa: holds no certificate in PEM form',
      ],
    ],
    [
      'that do not belong together',
      { cert: SERVER_CERT, key: STRANGER_KEY, clientCa: CA_CERT },
      ['tls.key: is not the key of tls.cert'],
    ],
  ])('refuse certificates %s', (_, tls, mistakes) => {
    expect(mistakesOf({ tls: tls! })).toEqual(mistakes);
  });
});
