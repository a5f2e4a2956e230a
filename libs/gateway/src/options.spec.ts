import type { InProcessServer } from '@apix/calls';
import { describe, expect, it } from '@jest/globals';
import { GatewayConfigError } from './errors.js';
import { transcodingRegistry } from './fixtures/echo-server.fixture.js';
import { Gateway } from './http/gateway.js';
import type { GatewayOptions } from './http/gateway-options.js';
import { webSockets } from './http/websocket/web-sockets.js';
import { inProcessUpstream } from './upstream/in-process-upstream.js';
import { networkUpstream } from './upstream/network-upstream.js';

const registry = transcodingRegistry();
const upstream = (): never => {
  throw new Error('no call is made');
};

const gatewayOf = (options: GatewayOptions): Gateway => new Gateway(registry, upstream, options);

/** What is wrong with these options. */
const mistakesOf = (options: Record<string, unknown>): readonly string[] =>
  mistakesIn(() => gatewayOf(options));

function mistakesIn(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof GatewayConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

/** An option, a wrong value of it, and the mistake. */
const WRONG: readonly (readonly [string, unknown, string])[] = [
  ['mount', 'v1', 'mount: "v1" is not a path: it must start with "/"'],
  ['mount', 5, 'mount: 5 is not a path: it must start with "/"'],
  ['rules', {}, 'rules: must be a list of HTTP rules, not an object'],
  ['rules', [{ selector: 'a.B' }], 'rules: the descriptors have no method "a.B"'],
  ['middleware', [1], 'middleware: must be a list of functions'],
  ['webSockets', true, 'webSockets: must be webSockets() of @apix/gateway/websocket, not true'],
  ['json', 'all', 'json: must be an object, not "all"'],
  ['json', { emitDefaults: true }, 'json.emitDefaults: must be one of "none", "values", "all"'],
  ['json', { protoNames: 1 }, 'json.protoNames: must be true or false, not 1'],
  ['json', { enumsAsNumbers: 'x' }, 'json.enumsAsNumbers: must be true or false, not "x"'],
  ['json', { unknownFields: 'drop' }, 'json.unknownFields: must be one of "refuse", "ignore"'],
  ['json', { maxDepth: 0 }, 'json.maxDepth: must be an integer of at least 1, not 0'],
  ['errors', 'xml', 'errors: must be one of "problem", "status", not "xml"'],
  ['exposeServerErrors', 1, 'exposeServerErrors: must be true or false, not 1'],
  ['timeout', 'soon', 'timeout: "soon" is not a valid duration'],
  ['maxTimeout', 'soon', 'maxTimeout: "soon" is not a valid duration'],
  ['forwardHeaders', 'x-a', 'forwardHeaders: must be a list of header names, not "x-a"'],
  ['forwardHeaders', [1], 'forwardHeaders: 1 is not a header that can be passed on'],
  ['forwardHeaders', ['Host'], 'forwardHeaders: "Host" is not a header that can be passed on'],
  ['responseHeaders', ['a b'], 'responseHeaders: "a b" is not a header that can be passed on'],
  ['metadata', 'x', 'metadata: must be true, false or a list of metadata keys, not "x"'],
  ['trustProxy', true, 'trustProxy: must be false, a number of proxies or a list of addresses'],
  ['trustProxy', ['here'], 'trustProxy: "here" is not an address or network'],
  ['challenge', '', 'challenge: must be a non-empty string, not ""'],
  [
    'challenge',
    'Bearer\r\nx: y',
    'challenge: contains characters that a header cannot have: "Bearer',
  ],
  ['maxBodyBytes', -1, 'maxBodyBytes: must be an integer of at least 0, not -1'],
  ['maxBodyBytesInAll', 'x', 'maxBodyBytesInAll: must be an integer of at least 4194304, not "x"'],
  ['bodyTimeout', -1, 'bodyTimeout: -1 is not a valid duration'],
  ['forms', 'yes', 'forms: must be true or false, not "yes"'],
  ['compress', 0, 'compress: must be true or false, not 0'],
  ['heartbeat', 0, 'heartbeat: must be greater than 0, not 0'],
];

describe('a misspelt option', () => {
  it.each([
    [
      'of a gateway',
      { forms: true, origin: 'same' },
      'origin: is not known here; did you mean origins?',
    ],
    [
      'of JSON',
      { json: { emitDefault: 'all' } },
      'json.emitDefault: is not known here; did you mean emitDefaults?',
    ],
    [
      'that only the module has',
      { endpoint: 'a:1' },
      'endpoint: is not known here; use one of json,',
    ],
  ])('%s is refused, with the right one', (_, options, what) => {
    expect(mistakesOf(options)).toEqual([expect.stringContaining(what)]);
  });

  it('of WebSockets and of an upstream is refused', () => {
    expect(mistakesIn(() => webSockets({ origin: 'any' } as object))).toEqual([
      'webSockets.origin: is not known here; did you mean origins?',
    ]);
    expect(
      mistakesIn(() => networkUpstream({ endpoint: 'a:1', connectTimout: 1 } as never)),
    ).toEqual(['connectTimout: is not known here; did you mean connectTimeout?']);
    const misspelt = { maxRecieveBytes: 1 } as object;
    expect(mistakesIn(() => inProcessUpstream({} as InProcessServer, misspelt))).toEqual([
      'maxRecieveBytes: is not known here; did you mean maxReceiveBytes?',
    ]);
  });
});

describe('the options of a gateway', () => {
  it.each(WRONG)('refuse as %s: %j', (option, value, mistake) => {
    expect(mistakesOf({ [option]: value })).toEqual([expect.stringContaining(mistake)]);
  });

  it('that are wrong are all reported together', () => {
    const wrong = Object.fromEntries(WRONG.map(([option, value]) => [option, value]));
    const options = WRONG.map(([option]) => option);
    const found = mistakesOf(wrong).map((mistake) => mistake.split(/[:.]/)[0]);
    expect(new Set(found)).toEqual(new Set(options));
  });

  it('have one line for each mistake in the message', () => {
    const make = () => gatewayOf({ mount: 'v1', heartbeat: 0 });
    expect(make).toThrow(
      'gateway: 2 mistakes:\n  heartbeat: must be greater than 0, not 0\n  ' +
        'mount: "v1" is not a path: it must start with "/"',
    );
  });

  it.each([
    { trustProxy: 0 },
    { trustProxy: false },
    { trustProxy: ['0.0.0.0/0', '10.0.0.0/32', '::/0', '::1/128'] },
    { maxBodyBytes: 0, maxBodyBytesInAll: 0 },
    { json: { maxDepth: 1 } },
    { json: { emitDefaults: 'none' } },
    { json: { emitDefaults: 'values' } },
    { json: { emitDefaults: 'all' } },
    { heartbeat: 1 },
  ])('go to the end of their range: %j', (options) => {
    expect(mistakesOf(options)).toEqual([]);
  });

  it('may all be left out', () => {
    const network = networkUpstream({ endpoint: '127.0.0.1:1' });
    expect(new Gateway(registry, network).bindings).not.toEqual([]);
    network.close();
  });
});

const NO_ORIGIN = 'is not an origin such as "https://example.com"';

describe('the options of webSockets()', () => {
  it.each([
    [{ origins: 'all' }, 'origins: must be "same", "any", a list of origins or a function'],
    [{ origins: [5] }, `origins: 5 ${NO_ORIGIN}`],
    [{ origins: ['https://a.b/'] }, `origins: "https://a.b/" ${NO_ORIGIN}`],
    [{ origins: ['a.example'] }, `origins: "a.example" ${NO_ORIGIN}`],
    [{ maxMessageBytes: 0 }, 'maxMessageBytes: must be an integer of at least 1, not 0'],
    [{ admission: 'soon' }, 'admission: "soon" is not a valid duration'],
  ])('refuse %j', (options, mistake) => {
    expect(mistakesIn(() => webSockets(options as never))).toEqual([
      expect.stringContaining(`webSockets.${mistake}`),
    ]);
  });

  it('that are wrong are all reported together', () => {
    const make = () => webSockets({ origins: 1, maxMessageBytes: -1, admission: -1 } as never);
    expect(mistakesIn(make).length).toBe(3);
  });

  it('go to the end of their range', () => {
    expect(mistakesIn(() => webSockets({ maxMessageBytes: 1, admission: 0 }))).toEqual([]);
  });

  it.each([['null'], ['http://localhost:3000'], ['chrome-extension://abc']])(
    'accept the origin %s',
    (origin) => {
      expect(mistakesIn(() => webSockets({ origins: [origin] }))).toEqual([]);
    },
  );
});

describe('the options of networkUpstream()', () => {
  it.each([
    [{ endpoint: '' }, 'endpoint: must be a non-empty string, not ""'],
    [
      { credentials: {} },
      'credentials: must be ChannelCredentials of @grpc/grpc-js, not an object',
    ],
    [{ credentials: null }, 'credentials: must be ChannelCredentials of @grpc/grpc-js, not null'],
    [{ channelOptions: 'x' }, 'channelOptions: must be an object, not "x"'],
  ])('refuse %j', (options, mistake) => {
    const make = () => networkUpstream({ endpoint: '127.0.0.1:1', ...options } as never);
    expect(mistakesIn(make)).toEqual([mistake]);
  });

  it('that are wrong are all reported together', () => {
    const make = () => networkUpstream({ endpoint: 1, credentials: 1, channelOptions: 1 } as never);
    expect(mistakesIn(make).length).toBe(3);
  });
});
