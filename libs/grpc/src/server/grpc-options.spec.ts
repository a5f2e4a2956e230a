import { ServerCredentials } from '@grpc/grpc-js';
import { connectionSettings } from '../http2/connection-settings.js';
import { describe, expect, it } from '@jest/globals';
import { GrpcSetupError } from '../../../grpc-client/src/errors.js';
import {
  CA_CERT,
  SERVER_CERT,
  SERVER_KEY,
  STRANGER_KEY,
} from '../../../grpc-client/src/tls/certificates.fixture.js';
import { type GrpcModuleOptions, resolveGrpcOptions } from './grpc-options.js';

function mistakesOf(options: GrpcModuleOptions): readonly string[] {
  try {
    resolveGrpcOptions(options);
    return [];
  } catch (error) {
    return error instanceof GrpcSetupError ? error.mistakes : [String(error)];
  }
}

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

type Wrong = readonly [what: string, options: object, mistakes: readonly string[]];

const WRONG_TOGETHER: readonly Wrong[] = [
  ['port is too large', { port: 65_536 }, ['port: must be an integer from 0 to 65535, not 65536']],
  ['host is empty', { host: '' }, ['host: must be a non-empty string, not ""']],
  [
    'a key file does not exist, and credentials are given as well',
    {
      tls: { cert: SERVER_CERT, key: 'nothing.pem' },
      credentials: ServerCredentials.createInsecure(),
    },
    [
      "tls.key: ENOENT: no such file or directory, open 'nothing.pem'",
      'tls, credentials: use only one of them',
    ],
  ],
  ['activation is empty', { activation: '' }, ['activation: must be a non-empty string, not ""']],
  [
    'maxReceiveBytes is 0',
    { maxReceiveBytes: 0 },
    ['maxReceiveBytes: must be an integer of at least 1, not 0'],
  ],
  [
    'maxSendBytes is a fraction',
    { maxSendBytes: 1.5 },
    ['maxSendBytes: must be an integer of at least 1, not 1.5'],
  ],
  [
    'maxConcurrentStreams is negative',
    { maxConcurrentStreams: -1 },
    ['maxConcurrentStreams: must be an integer of at least 1, not -1'],
  ],
  [
    'maxConnections is 0',
    { maxConnections: 0 },
    ['maxConnections: must be an integer of at least 1, not 0'],
  ],
  [
    'keepAlive has other texts',
    { keepAlive: { interval: '1 minute', timeout: -1 } },
    [`keepAlive.interval: "1 minute" ${NOT_A_DURATION}`, `keepAlive.timeout: -1 ${NOT_A_DURATION}`],
  ],
  [
    'maxConnectionAge is empty',
    { maxConnectionAge: '' },
    [`maxConnectionAge: "" ${NOT_A_DURATION}`],
  ],
  ['health is a text', { health: 'yes' }, ['health: must be true or false, not "yes"']],
  ['healthInterval is 0', { healthInterval: 0 }, ['healthInterval: must be greater than 0, not 0']],
  ['reflection is a number', { reflection: 1 }, ['reflection: must be true or false, not 1']],
  [
    'unenforcedPolicies is another word',
    { unenforcedPolicies: 'ignore' },
    ['unenforcedPolicies: must be one of "refuse", "allow", not "ignore"'],
  ],
  [
    'interceptors holds something else',
    { interceptors: [{}] },
    ['interceptors[0]: must be a function, not an object'],
  ],
  [
    'channelOptions has interceptors',
    { channelOptions: { interceptors: [] } },
    ['channelOptions.interceptors: not supported here; use the option interceptors'],
  ],
];

const WRONG: readonly Wrong[] = [
  ...WRONG_TOGETHER,
  ['keepAlive is false', { keepAlive: false }, ['keepAlive: must be an object, not false']],
  [
    'channelOptions is a text',
    { channelOptions: 'none' },
    ['channelOptions: must be an object, not "none"'],
  ],
  [
    'interceptors is a function',
    { interceptors: () => {} },
    ['interceptors: must be an array of functions, not a function'],
  ],
  ['tls is true', { tls: true }, ['tls: must be an object with cert and key, not true']],
  [
    'tls has no key',
    { tls: { cert: SERVER_CERT } },
    ['tls.key: must be PEM text, PEM bytes or the path of a PEM file, not undefined'],
  ],
  [
    'credentials are those of a client',
    { credentials: {} },
    ['credentials: must be ServerCredentials of grpc-js, not an object'],
  ],
];

describe('the options', () => {
  it('have safe defaults', () => {
    expect(resolveGrpcOptions({})).toEqual({
      stack: 'grpc-js',
      port: 50_051,
      host: '0.0.0.0',
      credentials: expect.any(ServerCredentials),
      health: true,
      healthInterval: 5_000,
      reflection: false,
      unenforcedPolicies: 'refuse',
      interceptors: [],
      unsent: { perCall: 4 * 1024 * 1024, total: 64 * 1024 * 1024 },
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

  it.each<[string, GrpcModuleOptions, string]>([
    ['interceptors', { interceptors: [() => null as never] }, 'use a call stage'],
    ['credentials', { credentials: ServerCredentials.createSsl(null, []) }, 'use the option tls'],
    [
      'channelOptions["grpc.max_metadata_size"]',
      { channelOptions: { 'grpc.max_send_message_length': 1, 'grpc.max_metadata_size': 1 } },
      'leave it out',
    ],
  ])(
    'of grpc-js alone are refused over http2, and have auto take grpc-js: %s',
    (at, options, instead) => {
      expect(() => resolveGrpcOptions(options)).not.toThrow();
      expect(resolveGrpcOptions({ ...options, stack: 'auto' }).stack).toBe('grpc-js');
      expect(mistakesOf({ ...options, stack: 'http2' })).toEqual([
        `${at}: only the stack grpc-js has it; ${instead}, or leave the option stack out`,
      ]);
    },
  );

  it('of grpc-js that http2 has too are taken', () => {
    const options = {
      credentials: ServerCredentials.createInsecure(),
      compression: 'gzip',
    } as const;
    const { channelOptions } = resolveGrpcOptions({
      ...options,
      stack: 'http2',
      maxConnectionAgeGrace: '1s',
      maxConnectionIdle: '2s',
      channelOptions: { 'grpc.max_concurrent_streams': 4 },
    });
    expect(resolveGrpcOptions({ ...options, stack: 'auto' }).stack).toBe('http2');
    expect(connectionSettings(channelOptions)).toEqual({
      maxStreams: 4,
      windowBytes: undefined,
      keepAliveMs: 60_000,
      keepAliveTimeoutMs: 20_000,
      maxAgeMs: Infinity,
      maxAgeGraceMs: 1_000,
      maxIdleMs: 2_000,
    });
  });

  it.each(WRONG)('are refused where %s', (_, options, mistakes) => {
    expect(mistakesOf(options as GrpcModuleOptions)).toEqual(mistakes);
  });

  it('are refused with all their mistakes at once', () => {
    const options = Object.assign({}, ...WRONG_TOGETHER.map(([, each]) => each)) as object;
    expect(mistakesOf(options).toSorted()).toEqual(
      WRONG_TOGETHER.flatMap(([, , mistakes]) => mistakes).toSorted(),
    );
  });

  it.each<[string, GrpcModuleOptions['tls'], readonly string[]]>([
    [
      'that are none',
      { cert: SERVER_KEY, key: Buffer.from('key'), clientCa: '-----BEGIN nothing' },
      [
        'tls.cert: does not contain a certificate in PEM form',
        'tls.key: does not contain a private key in PEM form',
        'tls.clientCa: does not contain a certificate in PEM form',
      ],
    ],
    [
      'that do not belong together',
      { cert: SERVER_CERT, key: STRANGER_KEY, clientCa: CA_CERT },
      ['tls.key: does not belong to tls.cert'],
    ],
  ])('refuse certificates %s', (_, tls, mistakes) => {
    expect(mistakesOf({ tls: tls! })).toEqual(mistakes);
  });
});
