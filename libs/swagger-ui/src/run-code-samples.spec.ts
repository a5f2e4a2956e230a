import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { CREDENTIAL, type PlannedCall, curlOf, fetchOf } from '../page-client/code-samples.js';

const headers = { Authorization: `Bearer ${CREDENTIAL}`, 'Content-Type': 'application/json' };
const call: PlannedCall = {
  method: 'POST',
  url: 'http://localhost/v1/orders',
  headers,
  body: '{"address":"Bath"}',
  answer: 'json',
};
const bare: PlannedCall = { ...call, method: 'GET', headers: {} };
const { body: _, ...read } = bare;

/** The arguments that a shell gives to curl. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const printed = execFileSync('sh', ['-c', script], {
    env: { TOKEN: 'a secret' },
    encoding: 'utf8',
  });
  return printed.split('\0').slice(0, -1);
}

describe('the command for curl', () => {
  it.each<[string, PlannedCall, readonly string[]]>([
    ['a GET', read, [call.url]],
    ['a stream', { ...read, answer: 'stream' }, ['-N', call.url]],
    ['a HEAD', { ...read, method: 'HEAD' }, ['--head', call.url]],
    ['a DELETE', { ...read, method: 'DELETE' }, ['-X', 'DELETE', call.url]],
    ['a POST without a body', { ...read, method: 'POST' }, ['-X', 'POST', call.url]],
    [
      'a key in the query',
      { ...read, url: `${call.url}?k=${CREDENTIAL}` },
      [`${call.url}?k=a secret`],
    ],
    [
      'what a shell would read',
      { ...read, url: '/\'$(x)`x`\\"', headers: { a: `"$x\`\\'${CREDENTIAL}` } },
      ['/\'$(x)`x`\\"', '-H', 'a: "$x`\\\'a secret'],
    ],
    [
      'a token and a body',
      { ...call, body: "it's" },
      [
        call.url,
        '-H',
        'Authorization: Bearer a secret',
        '-H',
        'Content-Type: application/json',
        '--data-raw',
        "it's",
      ],
    ],
  ])('of %s has arguments that a shell reads so', (_what, given, expected) => {
    expect(argumentsOf(curlOf(given))).toEqual(expected);
  });
});

/** What a program logs that calls a server which answers with the request, and whose variable `token` is a secret. */
async function loggedBy(make: (origin: string) => string): Promise<readonly unknown[]> {
  const server = createServer((request, response) => {
    const { authorization, 'content-type': type } = request.headers;
    const asked = [request.method, request.url, authorization, type];
    void text(request).then((body) => response.end(JSON.stringify([...asked, body])));
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const logged: unknown[] = [];
  const log = (...parts: readonly unknown[]): unknown => logged.push(...parts);
  try {
    const code = `(async () => {${make(`http://localhost:${port}`)}})()`;
    await runInNewContext(code, { token: 'a secret', console: { log }, fetch, TextDecoderStream });
    return logged;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('the program in TypeScript', () => {
  it('sends what the call has', async () => {
    const program = (origin: string) => fetchOf({ ...call, url: `${origin}/it's?a="\\` });
    const asked = ['POST', "/it's?a=%22\\", 'Bearer a secret', 'application/json', call.body];
    expect(await loggedBy(program)).toEqual([200, asked]);
  });

  it('sends a body that is not JSON as it is', async () => {
    const body = "it's\n`${1}`";
    const program = (origin: string) => fetchOf({ ...call, url: origin, body, answer: 'text' });
    const asked = ['POST', '/', 'Bearer a secret', 'application/json', body];
    expect(await loggedBy(program)).toEqual([200, JSON.stringify(asked)]);
  });

  it('shows the messages of a stream', async () => {
    const program = (origin: string) =>
      // The mark for the compiler, which is not JavaScript.
      fetchOf({ ...read, url: origin, answer: 'stream' }).replace('body!', 'body');
    expect(await loggedBy(program)).toEqual([JSON.stringify(['GET', '/', null, null, ''])]);
  });
});
