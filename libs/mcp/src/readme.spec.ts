import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mistakes } from '@apix/contracts';
import { readOptions } from '@apix/contracts/internal';
import { ProtoRegistry } from '@apix/proto/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { SignJWT } from 'jose';
import { buildSet } from '../../../tools/docs/descriptor-set.js';
import { freePort } from '../../../tools/testing/free-port.js';
import { type Child, type Program, program } from '../../../tools/testing/program.js';
import { ToolDefaultsSchema, ToolOptionsSchema } from './gen/apix/mcp/mcp_pb.js';
import { type Answer, ask, startNotes } from './notes-app.fixture.js';
import { MCP_OPTIONS } from './options.js';
import { toolsOf } from './tools/tool-options.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const block = (language: string, index = 0): string => {
  const fenced = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))];
  return fenced[index]![1]!;
};
/** The cells of the table below a heading, without its head. */
function tableBelow(heading: string): string[][] {
  const [, rows = ''] =
    new RegExp(`^## ${heading}\\n[^]*?^\\| -+[^\\n]*\\n((?:\\|[^\\n]*\\n)+)`, 'm').exec(readme) ??
    [];
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
/** Names in backticks. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w.]+)`/g)].map(([, it]) => it!);

const folder = mkdtempSync(join(tmpdir(), 'apix-mcp-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the app of the README', () => {
  const RESOURCE = 'https://api.example.com/mcp';
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let keys: Server;
  let issuer: string;
  let app: Program;
  let child: Child;
  let url: string;

  beforeAll(async () => {
    const [, given = ''] = /<!-- given\n([^]*?)-->/.exec(readme)!;
    const proto = `syntax = "proto3";\npackage shop.v1;\n${block('proto')}${given}`;
    const set = buildSet(root, folder, 'shop.binpb', proto);
    keys = createServer((_, res) => {
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
    });
    await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(keys.address() as AddressInfo).port}`;
    const port = await freePort();
    url = `http://127.0.0.1:${port}/mcp`;
    const code = block('ts')
      .replace('https://login.example.com', issuer)
      .replace("'gen/shop.binpb'", JSON.stringify(set))
      .replace('port: 50051', 'port: 0')
      .replace('port: 3000', `port: ${port}, host: '127.0.0.1'`);
    app = await program({ code, folder: new URL('.', import.meta.url) });
    child = app.run();
    await child.said('is running');
  });
  afterAll(async () => {
    child.kill('SIGTERM');
    await child.ended;
    await app.remove();
    keys.close();
    keys.closeAllConnections();
  });

  const tokenFor = (audience: string): Promise<string> =>
    new SignJWT({ scope: 'products:read' })
      .setProtectedHeader({ alg: 'ES256' })
      .setSubject('ada')
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime('1h')
      .sign(privateKey);

  it('lists its tool as printed, to a caller with a token for it', async () => {
    const { json } = await ask(url, 'tools/list', {}, await tokenFor(RESOURCE));
    expect(json.result!.tools).toEqual([JSON.parse(block('json'))]);
  });

  it('says with 401 where tokens are from, without one and with one for something else', async () => {
    const answers = [await ask(url, 'tools/list')];
    answers.push(await ask(url, 'tools/list', {}, await tokenFor('another')));
    for (const { status, headers } of answers) {
      expect(status).toBe(401);
      const [, metadata] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate')!)!;
      const { pathname } = new URL(metadata!);
      const described = await (await fetch(new URL(pathname, url))).json();
      expect(described).toMatchObject({ resource: RESOURCE, authorization_servers: [issuer] });
    }
  });
});

describe('the README names', () => {
  it('the tools of its library as they are', () => {
    const set = buildSet(root, folder, 'library.binpb', block('proto', 1));
    const tools = toolsOf(ProtoRegistry.load(readFileSync(set)).services);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['Library_Find', 'Finds books by words of their titles.'],
      ['remove_book', 'Removes a book for good. Ask first.'],
    ]);
  });

  it('every option of the .proto file', () => {
    const named = tableBelow('Tools in the .proto file').map(([field]) => namesIn(field!)[0]!);
    const fields = [ToolOptionsSchema, ToolDefaultsSchema].flatMap((desc) =>
      desc.fields.map(({ name }) => name),
    );
    expect(named.toSorted()).toEqual(fields.toSorted());
  });

  it('every option, with its default', () => {
    const given = { authorization: { resource: 'https://a.b/c', authorizationServers: [] } };
    const read: unknown = readOptions(MCP_OPTIONS, given, '', new Mistakes());
    const documented = new Map<string, unknown>();
    for (const [options, , fallback] of tableBelow('Options')) {
      const values = fallback!.split(', ');
      const names = namesIn(options!);
      names.forEach((name, at) => {
        documented.set(name, names.length > 1 ? values[at] : fallback);
      });
    }
    expect([...documented.keys()].toSorted()).toEqual(optionNames().toSorted());
    expect(optionNames()).toEqual(expect.arrayContaining(Object.keys(MCP_OPTIONS)));
    for (const [name, text] of documented) {
      const value = valueOf(String(text));
      if (value === undefined || name === 'sessions') continue;
      const actual = name
        .split('.')
        .reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], read);
      expect([name, actual]).toEqual([name, value]);
    }
  });
});

describe('as the table says, a call', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => ({ app, url } = await startNotes()));
  afterAll(() => app.close());

  const call = (name: string, args: object, token?: string) =>
    ask(url, 'tools/call', { name, arguments: args }, token);
  const textsOf = ({ result }: Answer): string[] => result!.content!.map(({ text }) => text);

  it('that succeeds is answered with its message as structuredContent and as text', async () => {
    const { json } = await call('Notes_Find', { name: 'a' }, 'ada');
    expect(textsOf(json).map((text) => JSON.parse(text) as unknown)).toEqual([
      json.result!.structuredContent,
    ]);
    const counted = await call('Notes_Count', { value: 'a' }, 'ada');
    expect(counted.json.result!.structuredContent).toEqual({ value: '9007199254740993' });
  });

  it('that fails or is denied is answered with its status, its message and a problem document', async () => {
    const failed = await call('Notes_Fail', { name: 'x' });
    expect(failed.json.result!.isError).toBe(true);
    const [text, problem] = textsOf(failed.json);
    expect(text).toBe('FAILED_PRECONDITION: no x');
    expect(JSON.parse(problem!)).toMatchObject({ code: 'FAILED_PRECONDITION' });
    const denied = await call('Notes_Remove', {}, 'ada');
    expect(textsOf(denied.json)[0]).toMatch(/^PERMISSION_DENIED: /);
  });

  it('that needs credentials is answered with 401', async () => {
    expect((await call('Notes_Find', {})).status).toBe(401);
  });

  it('with arguments that are not allowed is answered with their place', async () => {
    const { json } = await call('Notes_Find', { colour: 'red' }, 'ada');
    expect([json.result!.isError, textsOf(json)[0]]).toEqual([
      true,
      expect.stringContaining('$.colour'),
    ]);
  });

  it('for a tool that does not exist is answered with −32602', async () => {
    expect((await call('Notes_None', {}, 'ada')).json.error!.code).toBe(-32_602);
  });
});

/** The names of all options, those of sections with the section before a dot. */
function optionNames(): string[] {
  const source = readFileSync(new URL('options.ts', import.meta.url), 'utf8');
  const membersOf = (name: string): string[] => {
    const [, body = ''] =
      new RegExp(`^export interface ${name} {\\n([^]*?)^}`, 'm').exec(source) ?? [];
    return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member!);
  };
  return [
    ...membersOf('McpOptions'),
    ...membersOf('McpSessionOptions').map((name) => `sessions.${name}`),
    ...membersOf('McpAuthorizationOptions').map((name) => `authorization.${name}`),
  ];
}

/** What a default says; undefined where it is a sentence. */
function valueOf(text: string): unknown {
  const [, number, unit] = /^`?([\d,]+) ?(MiB|s|m)?`?$/.exec(text) ?? [];
  if (number !== undefined) {
    const factors: Record<string, number> = { MiB: 1024 * 1024, s: 1_000, m: 60_000 };
    return Number(number.replaceAll(',', '')) * (factors[unit ?? ''] ?? 1);
  }
  const [, quoted] = /^`([^`]+)`$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  return text === 'false' ? false : undefined;
}
