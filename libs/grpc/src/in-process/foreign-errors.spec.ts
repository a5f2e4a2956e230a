import { Code, StatusError } from '@apix/contracts';
import { Client, Metadata, type ServiceError, credentials, status } from '@grpc/grpc-js';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnyServerCall,
  type Handler,
  KINDS,
  Link,
  type Respond,
  type Transport,
} from './transports.fixture.js';

const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

/** How a handler of any kind can fail. */
const WAYS: Readonly<Record<string, (error: unknown) => Handler>> = {
  throws: (error) => () => {
    throw error;
  },
  rejects: (thrown) => async () => {
    await Promise.resolve();
    throw thrown;
  },
  'emits on its call': (error) => (call) => call.emit('error', error),
};
const CALLS_BACK = (error: unknown) => (_: AnyServerCall, respond: Respond) => respond(error);

const SECRET = '10.0.0.5:5432 password=hunter2';
const error = (more: object): Error => Object.assign(new Error(SECRET), more);
const metadata = new Metadata();
metadata.set('x-why', 'closed');

/** Errors that nobody made for the caller. */
const INTERNAL: readonly (readonly [string, unknown])[] = [
  ['an error', new Error(SECRET)],
  ['nothing', undefined],
  ['an empty text', ''],
  ['an error of an HTTP client', error({ statusCode: 404, status: 404 })],
  ['a database error', error({ code: '42P01', detail: SECRET })],
  ['a database error whose number is a code', error({ code: 6 })],
  ['a number that is not a code', error({ code: 11_000, details: SECRET })],
];

/** Errors that a handler of grpc-js ends its call with, as they are. */
const MEANT: readonly (readonly [string, unknown, string])[] = [
  ['a StatusError', new StatusError(Code.ABORTED, 'again'), 'status ABORTED again []'],
  [
    'an error with a code, details and metadata',
    error({ code: 14, details: 'closed on Sundays', metadata }),
    'status UNAVAILABLE closed on Sundays [["x-why",["closed"]]]',
  ],
  ['an object with a code and details', { code: 5, details: 'gone' }, 'status NOT_FOUND gone []'],
  ['an object with a code and a message', { code: 5, message: 'gone' }, 'status NOT_FOUND gone []'],
];

let unreachable: ServiceError;
beforeAll(async () => {
  const client = new Client('127.0.0.1:1', credentials.createInsecure());
  unreachable = await new Promise((resolve) => {
    const same = (bytes: Buffer): Buffer => bytes;
    client.makeUnaryRequest('/s/M', same, same, Buffer.alloc(0), (failure) => resolve(failure!));
  });
  client.close();
});

/** What the caller sees, and what the stages are told. */
async function outcome(
  transport: Transport,
  kind: (typeof KINDS)[number],
  handler: Handler,
): Promise<[string | undefined, unknown]> {
  let told: unknown;
  const link: Link = new Link(handler, {
    onEnd: (_, ended) => void (told = ended.error),
  });
  links.push(link);
  await link.open(transport);
  await link.call(kind, new Metadata(), {}, (call) => call.end?.());
  await link.quiet();
  return [link.trace.client.find((line) => line.startsWith('status')), told];
}

describe.each(['network', 'in-process'] as const)('over the transport %s', (transport) => {
  describe.each(KINDS)('a %s handler', (kind) => {
    const callsBack = kind === 'unary' || kind === 'clientStream';
    const ways = {
      ...WAYS,
      ...(callsBack && { 'calls back': CALLS_BACK }),
    };

    it.each(Object.entries(ways))('that %s tells the caller nothing', async (_, fail) => {
      // To call back with nothing is to answer.
      const internal = INTERNAL.filter(([, cause]) => fail !== CALLS_BACK || Boolean(cause));
      const got: unknown[] = [];
      for (const [what, cause] of internal) {
        got.push([what, ...(await outcome(transport, kind, fail(cause)))]);
      }
      expect(got).toEqual(
        internal.map(([what, cause]) => [what, 'status INTERNAL internal error []', cause]),
      );
    });

    it.each(Object.entries(ways))('that %s keeps a status that is meant', async (_, fail) => {
      const got: unknown[] = [];
      for (const [what, cause] of MEANT) {
        got.push([what, (await outcome(transport, kind, fail(cause)))[0]]);
      }
      expect(got).toEqual(MEANT.map(([what, , status]) => [what, status]));
    });

    it.each(Object.entries(ways))(
      'that %s with the error of a client tells no address',
      async (_, fail) => {
        expect(unreachable.code).toBe(status.UNAVAILABLE);
        expect(await outcome(transport, kind, fail(unreachable))).toEqual([
          'status UNAVAILABLE the service is unavailable []',
          unreachable,
        ]);
      },
    );
  });
});
