import { Authorizer } from '@apix/authz';
import { LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { TracingModule } from '@apix/otel';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  ADAPTERS,
  ask,
  CALLERS,
  handled,
  type NotesPlan,
  startNotes,
} from './notes-app.fixture.js';

let app: INestApplication | undefined;
let url: string;
let port: number;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(plan: NotesPlan = {}): Promise<void> {
  ({ app, url, port } = await startNotes(plan));
}

const namesFor = async (token?: string): Promise<string[]> => {
  const { json } = await ask(url, 'tools/list', {}, token);
  return (json.result?.tools ?? []).map(({ name }) => name.replace('Notes_', ''));
};

describe.each(Object.keys(ADAPTERS))('tools on %s', (platform) => {
  it('are discovered, listed by policy and called', async () => {
    await start({ adapter: ADAPTERS[platform]!() });
    const discovered = await ask(url, 'server/discover');
    expect(discovered.json.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      cacheScope: 'public',
      resultType: 'complete',
    });
    expect(await namesFor()).toEqual(['Show', 'Fail']);
    expect(await namesFor('ada')).toEqual([
      'Show',
      'Find',
      'Change',
      'Admire',
      'Fail',
      'Count',
      'Watch',
    ]);
    const params = { name: 'Notes_Find', arguments: { name: 'one', size: '9007199254740993' } };
    const { json } = await ask(url, 'tools/call', params, 'ada');
    const note = { name: 'one', size: '9007199254740993', inner: { name: 'inner' } };
    expect(json.result).toMatchObject({ structuredContent: note, resultType: 'complete' });
    expect(JSON.parse(json.result!.content![0]!.text)).toEqual(note);
    expect(json.result).not.toHaveProperty('isError');
  });
});

describe('a list of tools', () => {
  it('is what authorize() allows, for every caller and tool', async () => {
    await start();
    const authorizer = app!.get(Authorizer);
    for (const [token, subject] of [[undefined, null], ...Object.entries(CALLERS)] as const) {
      const names = await namesFor(token);
      for (const name of ['Show', 'Find', 'Remove', 'Fail', 'Count', 'Watch']) {
        const denial = authorizer.authorize(undefined, `/notes.v1.Notes/${name}`, subject);
        expect([token, name, names.includes(name)]).toEqual([token, name, denial === null]);
      }
    }
  });

  it('has a method whose condition reads the request, and leaves out one whose condition the caller fails', async () => {
    await start();
    expect(await namesFor('bob')).toEqual(['Show', 'Find', 'Change', 'Fail', 'Count', 'Watch']);
    const own = { name: 'Notes_Change', arguments: { owner: 'bob' } };
    expect((await ask(url, 'tools/call', own, 'bob')).json.result?.isError).toBeUndefined();
    const others = { name: 'Notes_Change', arguments: { owner: 'ada' } };
    const { json } = await ask(url, 'tools/call', others, 'bob');
    expect(json.result).toMatchObject({
      isError: true,
      content: [{ text: 'PERMISSION_DENIED: permission denied' }],
    });
  });

  it('has everything in shadow mode, as calls go through', async () => {
    await start({ authz: { mode: 'shadow' } });
    expect(await namesFor('not a token')).toHaveLength(8);
    const { json } = await ask(url, 'tools/call', { name: 'Notes_Remove', arguments: {} }, 'guest');
    expect(json.result?.isError).toBeUndefined();
  });

  it('is private to its caller, and not counted as a decision', async () => {
    const decisions: string[] = [];
    await start({
      authz: { onDecision: ({ method }) => void decisions.push(method) },
      mcp: { listTtl: '5s' },
    });
    const { json, headers } = await ask(url, 'tools/list', {}, 'ada');
    expect(json.result).toMatchObject({ ttlMs: 5_000, cacheScope: 'private' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(decisions).toEqual([]);
    await ask(url, 'tools/call', { name: 'Notes_Find', arguments: {} }, 'ada');
    expect(decisions).toEqual(['/notes.v1.Notes/Find']);
  });

  it('is a 401 for credentials that are not accepted', async () => {
    await start({ mcp: { authorization: AUTHORIZATION } });
    const bad = await ask(url, 'tools/list', {}, 'not a token');
    expect([bad.status, bad.json.result]).toEqual([401, undefined]);
    expect(bad.headers.get('www-authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`);
  });
});

const AUTHORIZATION = {
  resource: 'https://notes.example/api/mcp',
  authorizationServers: ['https://login.example'],
  scopes: ['notes:read', 'notes:write'],
};
const CHALLENGE =
  'Bearer resource_metadata="https://notes.example/.well-known/oauth-protected-resource/api/mcp", scope="notes:read notes:write"';

describe('a call of a tool', () => {
  it('without credentials is a 401 that says where to log in', async () => {
    await start({ mcp: { authorization: AUTHORIZATION } });
    const { status, headers } = await ask(url, 'tools/call', { name: 'Notes_Find' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, CHALLENGE]);
    for (const path of ['', '/api/mcp']) {
      const at = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource${path}`;
      const document = await fetch(at);
      expect(await document.json()).toMatchObject({
        resource: AUTHORIZATION.resource,
        authorization_servers: AUTHORIZATION.authorizationServers,
        scopes_supported: AUTHORIZATION.scopes,
      });
    }
  });

  it('that is denied is an error with the status, and the handler is not called', async () => {
    await start();
    handled.length = 0;
    const { json } = await ask(url, 'tools/call', { name: 'Notes_Remove', arguments: {} }, 'ada');
    expect(json.result).toMatchObject({
      isError: true,
      content: [{ text: 'PERMISSION_DENIED: permission denied' }],
    });
    expect(handled).toEqual([]);
  });

  it('that fails says why, with details, and without control characters', async () => {
    await start();
    const { json } = await ask(url, 'tools/call', { name: 'Notes_Fail', arguments: { name: 'x' } });
    const [text, problem] = json.result!.content!;
    expect(text!.text).toBe('FAILED_PRECONDITION: no x');
    expect(JSON.parse(problem!.text)).toMatchObject({
      code: 'FAILED_PRECONDITION',
      errors: [{ field: 'name', detail: 'is wrong' }],
    });
  });

  it.each([
    [{ nme: 'x' }, /^INVALID_ARGUMENT: arguments: \$\.nme: .*no field/],
    [{ size: 1.5 }, /^INVALID_ARGUMENT: arguments: \$\.size: /],
    [[], /^INVALID_ARGUMENT: arguments: \$: /],
    ['x', /^INVALID_ARGUMENT: arguments: \$: /],
  ])('with the arguments %j says where they are wrong', async (args, wanted) => {
    await start();
    const { json } = await ask(url, 'tools/call', { name: 'Notes_Show', arguments: args });
    expect([json.result?.isError, json.result?.content?.[0]?.text]).toEqual([
      true,
      expect.stringMatching(wanted),
    ]);
  });

  it('by a caller who is refused says nothing of its arguments', async () => {
    await start();
    const params = { name: 'Notes_Remove', arguments: { nme: 'x' } };
    const { json } = await ask(url, 'tools/call', params, 'ada');
    expect(json.result?.content?.[0]?.text).toBe('PERMISSION_DENIED: permission denied');
  });

  it('shows no field with debug_redact, and fields that not all see to those who do', async () => {
    await start();
    const params = { name: 'Notes_Find', arguments: { name: 'one' } };
    const ada = await ask(url, 'tools/call', params, 'ada');
    expect(ada.json.result?.structuredContent).toEqual({ name: 'one', inner: { name: 'inner' } });
    const root = await ask(url, 'tools/call', params, 'root');
    expect(root.json.result?.structuredContent).toMatchObject({ phone: '555' });
    expect(JSON.stringify(root.json)).not.toMatch(/1234|5678/);
  });

  it('wraps messages whose JSON is not an object', async () => {
    await start();
    const params = { name: 'Notes_Count', arguments: { value: 'x' } };
    const { json } = await ask(url, 'tools/call', params, 'ada');
    expect(json.result?.structuredContent).toEqual({ value: '9007199254740993' });
    const wrong = await ask(url, 'tools/call', { ...params, arguments: { valu: 'x' } }, 'ada');
    expect(wrong.json.result?.content?.[0]?.text).toBe(
      'INVALID_ARGUMENT: arguments: $: expected an object with the member "value" alone',
    );
  });

  it('of a tool that there is not, or that is hidden, is an error of the protocol', async () => {
    await start();
    for (const name of ['Notes_Nothing', 'Notes_Hide', '__proto__']) {
      const { status, json } = await ask(url, 'tools/call', { name, arguments: {} }, 'root');
      expect([status, json.error]).toEqual([
        200,
        { code: -32602, message: `unknown tool: ${name}` },
      ]);
    }
  });
});

describe('a request', () => {
  it('is one event and one span for its call, with the method, the tool and the client', async () => {
    const logged = collectingSink();
    const exporter = new InMemorySpanExporter();
    await start({
      module: {
        imports: [
          LogxModule.forRoot({ sinks: [logged] }),
          TracingModule.forRoot({ processors: [new SimpleSpanProcessor(exporter)] }),
        ],
      },
    });
    logged.clear();
    exporter.reset();
    await ask(url, 'tools/call', { name: 'Notes_Remove', arguments: {} }, 'ada');
    const [event, ...others] = logged.lines.map((line) => JSON.parse(line) as unknown);
    expect(others).toEqual([]);
    const fields = {
      mcp_method: 'tools/call',
      mcp_tool: 'Notes_Remove',
      mcp_client: 'test',
      protocol: 'mcp',
      code: 'PERMISSION_DENIED',
      route: '/mcp',
      status: 200,
      handler: '/notes.v1.Notes/Remove',
      level: 'warn',
    };
    expect(event).toMatchObject(fields);
    const spans = exporter.getFinishedSpans();
    expect(spans.find(({ name }) => name === 'POST /mcp')?.attributes).toMatchObject({
      'apix.mcp.tool': 'Notes_Remove',
      'apix.mcp.client': 'test',
      'apix.rpc.protocol': 'mcp',
    });
    const calls = spans.filter(({ name }) => name.includes('notes.v1.Notes'));
    expect(calls).toHaveLength(1);
  });
});

describe('a stream of answers', () => {
  it('ends with its last answers', async () => {
    await start({ mcp: { maxStreamAnswers: 2 } });
    const params = { name: 'Notes_Watch', arguments: { name: 'a', size: '5' } };
    const { json, headers } = await ask(url, 'tools/call', params, 'ada');
    expect(headers.get('content-type')).toBe('application/json');
    expect(json.result).toMatchObject({
      structuredContent: { name: 'a', size: '5' },
      content: [
        { text: '3 earlier answers were left out.' },
        { text: '{"name":"a","size":"4"}' },
        { text: '{"name":"a","size":"5"}' },
      ],
    });
  });

  it('that has none is a result all the same', async () => {
    await start();
    const { json } = await ask(url, 'tools/call', { name: 'Notes_Watch', arguments: {} }, 'ada');
    expect(json.result).toMatchObject({ structuredContent: {}, content: [{ text: '{}' }] });
  });

  it('that goes on is ended by the deadline, with what it has sent', async () => {
    await start({ mcp: { timeout: 300 } });
    const params = { name: 'Notes_Watch', arguments: { name: 'on', size: '1' } };
    const { json } = await ask(url, 'tools/call', params, 'ada');
    expect(json.result).toMatchObject({
      isError: true,
      content: [
        { text: '{"name":"on","size":"1"}' },
        { text: expect.stringMatching(/^DEADLINE_EXCEEDED: /) },
      ],
    });
  });
});
