import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callCommand } from '../src/call/call-command.js';
import { ADMIN, PLAIN } from '../src/identity/demo-issuer.js';
import { type Shop, openShop } from './shop.fixture.js';

let shop: Shop;
let tokens: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  tokens = { ada: await shop.bearer(PLAIN), grace: await shop.bearer(ADMIN) };
}, 120_000);
afterAll(() => shop.close());

/** The exit code and what is written; a name in front is that of a caller with a token. */
async function call(who: string, ...args: readonly string[]) {
  const output = { code: 0, printed: '', complaint: '' };
  const token = tokens[who];
  output.code = await callCommand(
    token === undefined ? args : ['-H', `authorization: ${token}`, ...args],
    {
      print: (text) => (output.printed += text),
      complain: (text) => (output.complaint += text),
    },
  );
  return output;
}

describe('npm run demo:call', () => {
  it.each([
    ['nobody', 80, 'UNAUTHENTICATED: credentials are missing\n'],
    ['ada', 71, 'PERMISSION_DENIED: permission denied\n'],
    ['grace', 0, 'OK\n'],
  ])('prints the status that %s gets, and exits with it', async (who, code, complaint) => {
    const output = await call(
      who,
      '-d',
      '{"name": "orders/1002"}',
      shop.grpc,
      'shop.v1.Orders/Get',
    );
    expect(output).toMatchObject({ code, complaint });
    expect(output.printed.includes('"customer": "grace"')).toBe(code === 0);
  });

  it('sends an empty message without -d, and prints JSON alone to standard output', async () => {
    const { printed } = await call('nobody', shop.grpc, 'shop.v1.Catalog/List');
    expect(JSON.parse(printed)).toHaveProperty('products');
  });

  it('lists the methods, and which of them stream', async () => {
    const { code, printed } = await call('nobody', shop.grpc, 'list');
    expect(code).toBe(0);
    expect(printed.split('\n')).toEqual(
      expect.arrayContaining([
        'shop.v1.Orders/Get',
        'shop.v1.Orders/Watch  (server streaming)',
        'shop.v1.Orders/Import  (client streaming)',
        'shop.v1.Support/Chat  (bidi streaming)',
      ]),
    );
  });

  it('sends each -d to a stream, and prints each answer of one', async () => {
    const say = (text: string): string[] => ['-d', JSON.stringify({ text })];
    const { code, printed } = await call(
      'ada',
      ...say('one'),
      ...say('two'),
      shop.grpc,
      'shop.v1.Support/Chat',
    );
    expect([code, printed.match(/"text":/g)?.length]).toEqual([0, 2]);
  });

  it('waits for a stream that is closed by the server, with its status', async () => {
    const { code, complaint } = await call('grace', shop.grpc, 'shop.v1.Orders/Watch');
    expect([code, complaint]).toEqual([0, 'OK\n']);
  });

  it.each([
    [
      'the arguments are missing',
      [],
      /^2 arguments are needed besides options, not 0\n\n.*demo:call/s,
    ],
    ['the method has no slash', ['GRPC', 'Get'], /^"Get" is neither list nor a method such as/],
    ['a header has no colon', ['-H', 'x', 'GRPC', 'list'], /^-H "x" is not a header such as/],
    ['an option is unknown', ['--nope', 'GRPC', 'list'], /^Unknown option '--nope'/],
    [
      'the method is unknown',
      ['GRPC', 'shop.v1.Orders/Nope'],
      /^the server has no method shop.v1.Orders\/Nope\n$/,
    ],
    [
      'the message is not JSON',
      ['-d', '{', 'GRPC', 'shop.v1.Orders/Get'],
      /^-d '\{' is not a shop.v1.GetOrderRequest: /,
    ],
    [
      'a field is unknown',
      ['-d', '{"nme": 1}', 'GRPC', 'shop.v1.Orders/Get'],
      /is not a shop.v1.GetOrderRequest: .*"nme"/,
    ],
    [
      'there are two messages for one',
      ['-d', '{}', '-d', '{}', 'GRPC', 'shop.v1.Orders/Get'],
      /^the method takes one message, not 2\n$/,
    ],
  ])('exits with 2 when %s', async (_, args, complaint) => {
    const output = await call('nobody', ...args.map((arg) => (arg === 'GRPC' ? shop.grpc : arg)));
    expect(output).toEqual({ code: 2, printed: '', complaint: expect.stringMatching(complaint) });
  });

  it('exits with 1, and names the server, when nobody listens there', async () => {
    const { code, complaint } = await call('nobody', '127.0.0.1:1', 'list');
    expect([code, complaint.includes('127.0.0.1:1')]).toEqual([1, true]);
  });
});
