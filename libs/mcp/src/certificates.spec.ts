import { request } from 'node:https';
import { certificateSubject } from '@apix/authz';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Identity, makeAuthority } from '../../authz/src/certificates.fixture.js';
import { type Answer, startNotes, statelessRequest } from './notes-app.fixture.js';

const authority = makeAuthority();
const stranger = makeAuthority();
const ada = authority.client('CN=ada', 'OU=reader');
const bob = authority.client('CN=bob', 'OU=reader');
const root = authority.client('CN=root', 'OU=reader', 'OU=admin');
const malformed = authority.client('CN=ada', 'OU=admin', 'OU=');
const forged = stranger.client('CN=root', 'OU=admin');

/** HTTPS that asks for a certificate and leaves the refusing to the app. */
const tls = {
  ...authority.server,
  ca: authority.cert,
  requestCert: true,
  rejectUnauthorized: false,
};
const PLATFORMS = [
  ['Express', () => ({ adapter: new ExpressAdapter(), tls })],
  ['Fastify', () => ({ adapter: new FastifyAdapter({ https: tls }) as never })],
] as const;

interface Said {
  readonly status: number | undefined;
  readonly session: string;
  readonly json: Answer;
}

describe.each(PLATFORMS)('a client with a certificate, on %s', (_, plan) => {
  let app: INestApplication;
  let port: number;
  beforeAll(async () => {
    const authz = { subject: certificateSubject() };
    ({ app, port } = await startNotes({ ...plan(), authz }));
  });
  afterAll(() => app.close());

  const send = (
    as: Identity | undefined,
    headers: Readonly<Record<string, string>>,
    body: object,
  ): Promise<Said> =>
    new Promise((resolve, reject) => {
      const own = { ...as, ca: authority.cert, servername: 'localhost', agent: false };
      const options = { ...own, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers };
      const sent = request(options, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
        const session = String(response.headers['mcp-session-id']);
        const json = (text === '' ? {} : JSON.parse(text)) as Answer;
        resolve({ status: response.statusCode, session, json });
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
  const ask = (
    as: Identity | undefined,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<Said> => {
    const { headers, body } = statelessRequest(method, params);
    return send(as, { ...headers, ...more }, body);
  };
  const namesFor = async (
    ...[as, more]: readonly [Identity?, Readonly<Record<string, string>>?]
  ) => {
    const { json } = await ask(as, 'tools/list', {}, more);
    return (json.result?.tools ?? []).map(({ name }) => name.replace('Notes_', ''));
  };
  const PUBLIC = ['Show', 'Fail'];
  const OF_ADA = ['Show', 'Find', 'Change', 'Admire', 'Fail', 'Count', 'Watch'];
  const OF_BOB = OF_ADA.filter((name) => name !== 'Admire');
  const OF_ROOT = ['Show', 'Find', 'Remove', 'Change', 'Fail', 'Count', 'Watch'];

  it.each([
    ['ada', ada, OF_ADA],
    ['bob', bob, OF_BOB],
    ['root', root, OF_ROOT],
    ['nobody, without one', undefined, PUBLIC],
    ['nobody, with one of another authority', forged, PUBLIC],
  ])('is %s, and is listed the tools that it may call', async (who, as, names) => {
    expect(await namesFor(as)).toEqual(names);
    const all = ['Show', 'Find', 'Remove', 'Change', 'Admire', 'Count'];
    for (const name of all) {
      const args = name === 'Count' ? { value: 'x' } : { name: 'x', owner: who };
      const { status, json } = await ask(as, 'tools/call', {
        name: `Notes_${name}`,
        arguments: args,
      });
      const isAllowed = status === 200 && json.result?.isError === undefined;
      expect([name, isAllowed]).toEqual([name, names.includes(name)]);
    }
  });

  it('is refused for the list as for a call if its certificate is malformed', async () => {
    const listed = await ask(malformed, 'tools/list');
    const called = await ask(malformed, 'tools/call', { name: 'Notes_Find', arguments: {} });
    expect([listed.status, called.status]).toEqual([401, 401]);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-apix-forwarded'])(
    'is not taken for a caller that it speaks for, by the header %s',
    async (name) => {
      const more = { [name]: '1.1 proxy' };
      expect(await namesFor(root, more)).toEqual(PUBLIC);
      const params = { name: 'Notes_Remove', arguments: {} };
      expect((await ask(root, 'tools/call', params, more)).status).toBe(401);
    },
  );

  it('has its sessions for itself', async () => {
    const say = (as: Identity | undefined, id: string, message: object) => {
      const headers = { 'content-type': 'application/json', ...(id && { 'mcp-session-id': id }) };
      return send(as, headers, { jsonrpc: '2.0', id: 1, ...message });
    };
    const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'test', version: '1' } };
    const { session } = await say(ada, '', { method: 'initialize', params });
    const statuses = [];
    for (const as of [ada, bob, undefined, forged, malformed, ada]) {
      statuses.push((await say(as, session, { method: 'ping' })).status);
    }
    expect(statuses).toEqual([200, 404, 404, 404, 401, 200]);
    const anonymous = await say(undefined, '', { method: 'initialize', params });
    expect((await say(undefined, anonymous.session, { method: 'ping' })).status).toBe(200);
    expect((await say(ada, anonymous.session, { method: 'ping' })).status).toBe(404);
  });
});
