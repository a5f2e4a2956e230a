import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeName } from '@apix/contracts';
import { createLogger } from '@apix/logx/core';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { ask } from '../../../mcp/src/notes-app.fixture.js';
import { gatewayCommand } from '../cli/gateway-command.js';
import { loadSettings } from '../settings/load-settings.js';
import { SHOP } from './backend.fixture.js';
import { ForeignServer } from './foreign-server.fixture.js';
import { GatewayProcess } from './gateway-process.js';

const THINGS = `
syntax = "proto3";
package things.v1;
message Thing { string town = 1; int64 days = 2; }
service Things {
  rpc A(Thing) returns (Thing);
  rpc B(Thing) returns (Thing);
  rpc C(Thing) returns (Thing);
  rpc Fail(Thing) returns (Thing);
  rpc Upload(stream Thing) returns (Thing);
}
service Others { rpc A(Thing) returns (Thing); }
`;
const METHODS = ['A', 'B', 'C', 'Fail'];

const folder = mkdtempSync(join(tmpdir(), 'apix-tool-policies-'));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

let server: ForeignServer;
let tokens: readonly string[];
/** Tokens as callers send them; undefined: an anonymous one. */
let callers: readonly (string | undefined)[];
beforeAll(async () => {
  server = await ForeignServer.start(THINGS, ['things.v1.Things', 'things.v1.Others']);
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = file('keys.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] });
  tokens = `--jwks ${jwks} --issuer https://id.example --audience things`.split(' ');
  const tokenOf = (id: string, roles: readonly string[], scope = '') =>
    new SignJWT({ roles, scope })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer('https://id.example')
      .setAudience('things')
      .setSubject(id)
      .setExpirationTime('5m')
      .sign(privateKey);
  callers = [
    undefined,
    'forged',
    await tokenOf('ada', []),
    await tokenOf('ada', ['a', 'b'], 'c'),
    await tokenOf('bob', ['b', 'd'], 'a b'),
    await tokenOf('bob', ['a', 'b', 'c'], 'a b c e'),
  ];
});
afterAll(() => {
  server.stop();
  rmSync(folder, { recursive: true });
});

const RULES = METHODS.map((name) => ({
  selector: `things.v1.Things.${name}`,
  post: `/v1/${name}`,
  body: '*',
}));

/** A gateway, and how a caller sees it by each protocol. */
async function start(unannotated: 'allow' | 'deny', ...more: string[]) {
  const policies = file(`${unannotated}.json`, []);
  const { settings } = loadSettings([
    ...`--listen 127.0.0.1:0 --drain-delay 0 --backend ${server.address} --docs off`.split(' '),
    ...`--protocols rest,grpc --http2 --rules ${file('rules.json', RULES)}`.split(' '),
    ...`--mcp --mcp-tool things.v1.Things.* --policy-file ${policies}`.split(' '),
    ...`--unannotated ${unannotated}`.split(' '),
    ...tokens,
    ...more,
  ]);
  const gateway = new GatewayProcess(settings, createLogger({ sinks: [] }));
  const host = gateway.host().build();
  const ended = new AbortController();
  const running = host.runContext(ended.signal);
  await host.started;
  const channel = new Client(gateway.addr, credentials.createInsecure());
  return {
    url: `http://${gateway.addr}`,
    channel,
    use: async (content: unknown) => {
      file(`${unannotated}.json`, content);
      await host.reload();
    },
    stop: async () => {
      channel.close();
      ended.abort();
      await running;
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** How a call ended: the name of its status, and its text. */
type Outcome = readonly [code: string, text: string];

const OK: Outcome = ['OK', ''];
const REQUEST = { town: 'Bern', days: '3' };

async function byTool({ url }: Started, name: string, token?: string): Promise<Outcome> {
  const params = { name: `Things_${name}`, arguments: REQUEST };
  const { status, json } = await ask(`${url}/mcp`, 'tools/call', params, token);
  if (status === 401) return ['UNAUTHENTICATED', json?.error?.message ?? ''];
  if (json?.result?.isError !== true) return OK;
  const [, code = '', text = ''] = /^(\w+): (.*)$/.exec(json.result.content![0]!.text)!;
  return [code, text];
}

async function byRest({ url }: Started, name: string, token?: string): Promise<Outcome> {
  const answer = await fetch(`${url}/v1/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(REQUEST),
  });
  const body = (await answer.json()) as { readonly code: string; readonly detail: string };
  return answer.status === 200 ? OK : [body.code, body.detail];
}

function byGrpc({ channel }: Started, name: string, token?: string): Promise<Outcome> {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const same = (bytes: Buffer): Buffer => bytes;
  // A town, and three days.
  const request = Buffer.from('0a044265726e1003', 'hex');
  return new Promise((resolve) => {
    channel.makeUnaryRequest(`/things.v1.Things/${name}`, same, same, request, metadata, (error) =>
      resolve(error === null ? OK : [codeName(error.code), error.details]),
    );
  });
}

async function listed({ url }: Started, token?: string): Promise<readonly string[] | undefined> {
  const { json } = await ask(`${url}/mcp`, 'tools/list', {}, token);
  return json?.result?.tools?.map(({ name }) => name.replace('Things_', ''));
}

const wanted = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
// Others than those, for rules that could never pass are refused.
const unwanted = fc.uniqueArray(fc.constantFrom('d', 'e'), { maxLength: 2 });
const rule = fc.record({ any_of: wanted, all_of: wanted, none_of: unwanted }, { requiredKeys: [] });
const condition = fc.constantFrom(
  'request.days < 10',
  'subject.id == "ada"',
  'method.endsWith("B")',
);
const requirement = fc.oneof(
  fc.constant({ public: true }),
  fc.record(
    {
      roles: rule,
      permissions: rule,
      conditions: fc.tuple(condition.map((expression) => ({ id: 'it', expression }))),
    },
    { requiredKeys: [] },
  ),
);
const policies = fc.dictionary(fc.constantFrom('*', ...METHODS), requirement).map((all) =>
  Object.entries(all).map(([name, requires]) => ({
    selector: `things.v1.Things.${name}`,
    requires,
  })),
);

describe('tools of a gateway', () => {
  let gateways: Readonly<Record<'allow' | 'deny', Started>>;
  beforeAll(async () => {
    gateways = { allow: await start('allow'), deny: await start('deny') };
  });
  afterAll(async () => {
    for (const gateway of Object.values(gateways)) await gateway.stop();
  });

  it('are listed and called as REST and gRPC let the caller in, by 200 policies', async () => {
    await fc.assert(
      fc.asyncProperty(
        policies,
        fc.constantFrom('allow' as const, 'deny' as const),
        fc.nat({ max: 5 }),
        async (content, unannotated, index) => {
          const gateway = gateways[unannotated];
          await gateway.use(content);
          const token = callers[index];
          server.calls.length = 0;
          const outcomes = await Promise.all(
            METHODS.map(async (name) => {
              const ways = [byTool, byRest, byGrpc].map((way) => way(gateway, name, token));
              return [name, await Promise.all(ways)] as const;
            }),
          );
          const open: string[] = [];
          for (const [name, [tool, rest, grpc]] of outcomes) {
            expect([name, tool]).toEqual([name, rest]);
            expect([name, tool]).toEqual([name, grpc]);
            const reached = server.calls.filter(({ path }) => path.endsWith(`/${name}`)).length;
            expect(reached).toBe(tool === OK || tool?.[0] === 'FAILED_PRECONDITION' ? 3 : 0);
            if (reached > 0) open.push(name);
          }
          // A list of nothing would be all that an anonymous caller ever sees.
          const isRefused = token === 'forged' || (token === undefined && open.length === 0);
          expect(await listed(gateway, token)).toEqual(isRefused ? undefined : open);
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);
});

describe('settings of the endpoint of tools', () => {
  const started: Started[] = [];
  afterAll(async () => {
    for (const gateway of started) await gateway.stop();
  });
  const served = async (...args: string[]) => {
    const gateway = await start('allow', ...args);
    started.push(gateway);
    await gateway.use([]);
    return gateway;
  };

  it('say what it is called, how it is used, and how large an answer may be', async () => {
    const about = '--title Things --api-version 7.0.0 --mcp-max-result-bytes 10'.split(' ');
    const gateway = await served(...about, '--mcp-instructions', 'Ask first.');
    const { json } = await ask(`${gateway.url}/mcp`, 'server/discover');
    expect(json?.result).toMatchObject({
      instructions: 'Ask first.',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Things', version: '7.0.0' } },
    });
    expect((await byTool(gateway, 'A'))[0]).toBe('RESOURCE_EXHAUSTED');
    expect(await byRest(gateway, 'A')).toEqual(OK);
  });

  it('bound sessions, of all callers and of each', async () => {
    const sessions = '--mcp-sessions 3 --mcp-sessions-per-caller 2 --mcp-session-timeout 1h';
    const { url } = await served(...sessions.split(' '), '--trust-proxy', '1');
    const say = (caller: string, method: string, params: object, session?: string) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': caller,
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const hello = async (caller: string): Promise<[string, string]> => {
      const answer = await say(caller, 'initialize', { protocolVersion: '2025-11-25' });
      return [caller, answer.headers.get('mcp-session-id')!];
    };
    const isAlive = async ([caller, session]: [string, string]) =>
      (await say(caller, 'ping', {}, session)).status === 200;
    const first = await hello('192.0.2.1');
    const second = [await hello('192.0.2.2'), await hello('192.0.2.2'), await hello('192.0.2.2')];
    const alive = [];
    for (const each of [first, ...second]) alive.push(await isAlive(each));
    // The proxy in front is not taken for one caller.
    expect(alive).toEqual([true, false, true, true]);
    await hello('192.0.2.3');
    expect(await isAlive(first)).toBe(false);
  });

  it('name the hosts that requests may be for', async () => {
    const { url } = await served('--mcp-host', 'things.example');
    expect((await ask(`${url}/mcp`, 'tools/list')).status).toBe(403);
  });
});

const toolSet = fileURLToPath(new URL('../../../mcp/testdata/tools.binpb', import.meta.url));

describe('settings of tools', () => {
  /** What `--check` says with these options, and with the descriptors of the server, or of a set. */
  async function check(args: readonly string[]) {
    const said = { out: '', err: '' };
    const code = await gatewayCommand(['--backend', server.address, '--check', '--mcp', ...args], {
      print: (text) => (said.out += text),
      complain: (text) => (said.err += text),
      version: '',
    });
    return { code, ...said };
  }
  const all = ['--mcp-list', 'all'];
  const ofFile = (...entries: object[]) => ['--policy-file', file('wrong.json', entries)];
  const A = 'things.v1.Things.A';

  it('have the tools of the .proto files too, but for what is left out', async () => {
    const set = ['--descriptors', toolSet];
    const { out, err } = await check([...set, ...all, '--exclude', 'tools.v1.Shelf.Put']);
    expect(err).toBe('');
    const tools = out.split('\n').filter((line) => line.startsWith('tool '));
    expect(tools.map((line) => line.split(/ +/)[1])).toEqual([
      'look',
      'Shelf_Watch',
      'stock_Count',
      'stock_Clear',
      'stock_Check',
    ]);
  });

  it('take the names of methods, services and packages', async () => {
    const named = async (...selectors: string[]) => {
      const { out } = await check([...all, ...selectors.flatMap((it) => ['--mcp-tool', it])]);
      return [...out.matchAll(/^tool (\S+)/gm)].map(([, name]) => name);
    };
    const things = METHODS.map((name) => `Things_${name}`);
    expect(await named(A)).toEqual(['Things_A']);
    expect(await named('things.v1.Others.A', 'things.v1.Things.*')).toEqual([
      ...things,
      'Others_A',
    ]);
    expect(await named('things.v1.*')).toEqual([...things, 'Others_A']);
  });

  it.each<[string, () => readonly string[], string]>([
    ['no policies', () => ['--mcp-tool', A], 'mcp: requires jwks, so that callers are shown'],
    [
      'policies, and a list of everything',
      () => [...tokens, ...all, '--mcp-tool', A],
      'mcp-list: all cannot go with jwks',
    ],
    ['no tools', () => all, 'no tool found: name methods with --mcp-tool'],
    [
      'a method that there is not',
      () => [...all, '--mcp-tool', 'things.v1.Things.AA'],
      'mcp-tool: the descriptors have no method "things.v1.Things.AA"; did you mean things.v1.Things.A?',
    ],
    [
      'a service that there is not',
      () => [...all, '--mcp-tool', 'things.v2.Things.*'],
      'mcp-tool: the descriptors have no method "things.v2.Things.*"',
    ],
    [
      'a method in the file that there is not',
      () => [...all, ...ofFile({ selector: 'things.v1.Things.D', tool: {} })],
      'wrong.json: [0] (things.v1.Things.D): the descriptors have no method',
    ],
    [
      'two services with tools of one name',
      () => [
        ...all,
        ...ofFile(
          { selector: 'things.v1.Things.*', tools: { prefix: 'x' } },
          { selector: 'things.v1.Others.*', tools: { prefix: 'x' } },
        ),
      ],
      'the name "x_A" is that of rpc things.v1.Things.A; set another name',
    ],
    [
      'a stream of requests',
      () => [...all, '--mcp-tool', 'things.v1.Things.Upload'],
      'rpc things.v1.Things.Upload, option (apix.mcp.tool): the method has a stream of requests',
    ],
    [
      'a method that is left out',
      () => [...all, '--mcp-tool', A, '--exclude', A],
      `mcp-tool: ${A}: is a tool, and left out by exclude`,
    ],
    [
      'a method that its .proto file hides',
      () => [...all, '--descriptors', toolSet, '--mcp-tool', 'tools.v1.Stock.Burn'],
      'is hidden by its option (apix.mcp.tool)',
    ],
    [
      'the path of a rule',
      () => ['--mcp', '/v1/A', '--rules', file('rules.json', RULES), ...all, '--mcp-tool', A],
      'mcp: /v1/A is the path of an HTTP rule or method: set another path',
    ],
    [
      'the path of a page',
      () => ['--mcp', '/docs/mcp', ...all, '--mcp-tool', A],
      'mcp: /docs/mcp is the path of docs: set another path',
    ],
    ['no path', () => ['--mcp', '/a b', ...all], 'mcp: "/a b" is not a path such as "/mcp"'],
    [
      'a tool that everybody could call',
      () => [...tokens, '--mcp-tool', A],
      '/things.v1.Things/A: is a tool without a policy; give it one by --policy-file',
    ],
    [
      'a policy that nobody enforces',
      () => [...all, ...ofFile({ selector: A, requires: {}, tool: {} })],
      `wrong.json: [0] (${A}): has a policy, which is enforced here only if jwks is set`,
    ],
    [
      'a policy of the .proto file',
      () => [
        ...tokens,
        ...`--descriptors ${SHOP} --mcp-tool shop.v1.Orders.Create`.split(' '),
        ...ofFile({ selector: 'shop.v1.Orders.Create', requires: { public: true } }),
      ],
      'the .proto file of the method has a policy for it: remove the one here',
    ],
    [
      'a policy that cannot pass',
      () => [
        ...tokens,
        ...ofFile({
          selector: A,
          requires: { roles: { any_of: ['a'], none_of: ['a'] } },
          tool: {},
        }),
      ],
      `rpc ${A}, option (apix.authz.requires)`,
    ],
    [
      'a member that there is not',
      () => [...all, ...ofFile({ selector: A, require: {} })],
      'require',
    ],
    [
      'a member of a policy that there is not',
      () => [...all, ...ofFile({ selector: A, requires: { rolls: {} } })],
      `wrong.json: [0] (${A}), requires: `,
    ],
    [
      'no selector',
      () => [...all, ...ofFile({ tool: {} })],
      'wrong.json: [0]: must have a selector',
    ],
    [
      'one selector twice',
      () => [...all, ...ofFile({ selector: A, tool: {} }, { selector: A, tool: {} })],
      `wrong.json: [1] (${A}): "${A}" is given twice`,
    ],
    [
      'tools of one method',
      () => [...all, ...ofFile({ selector: A, tools: {} })],
      'has tool for one method, and tools for those of a selector that ends in .*',
    ],
    [
      'a file without a list',
      () => [...all, '--policy-file', file('wrong.json', '{}')],
      'wrong.json: must be a list of policies, each with a selector',
    ],
    [
      'no origin',
      () => [...all, '--mcp-origin', 'shop'],
      'mcp-origin[0]: "shop" is not an origin such as',
    ],
    [
      'a resource that no token is made for',
      () => [...tokens, '--mcp-resource', 'https://a.example/mcp'],
      'mcp-resource: "https://a.example/mcp" must be among audience',
    ],
    [
      'a resource without a place for tokens',
      () => [...all, '--mcp-resource', 'https://a.example/mcp'],
      'mcp-resource: requires mcp-authorization-server to be set as well',
    ],
  ])('with %s are a mistake that says what to do', async (_what, args, said) => {
    const given = args();
    // The path comes right after its option.
    const { code, err } = await check(given[0] === '--mcp' ? given.slice(1) : given);
    expect(err).toContain(said);
    expect(code).toBe(2);
  });
});
