import { type HttpRequest, httpCall } from '../http-call.js';
import { ask, oneOf, usual } from '../knock.js';
import { META, mcpHeaders, mcpRequest, toolBody, toolRequest } from '../mcp-call.js';
import { rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';

const KEEPER = { authorization: 'Bearer keeper' };
const MB = 2 ** 20;
const GIGABYTE = 1_000 * MB;

/** How much of a gigabyte of arguments is taken, announced and in chunks. */
export const gigabyte: Attack = async (site, door) => {
  const results: string[] = [];
  for (const isAnnounced of [true, false]) {
    const raw = await rawSocket(site.portOf(door));
    const [start, chunk] = isAnnounced
      ? [`Content-Length: ${GIGABYTE}\r\n\r\n`, Buffer.alloc(0x10000, ' ')]
      : ['Transfer-Encoding: chunked\r\n\r\n', chunkOf(Buffer.alloc(0x10000, ' '))];
    const type = 'Content-Type: application/json';
    raw.socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${type}\r\n${start}`);
    const sent = await raw.pour(chunk, { bytes: GIGABYTE, ms: 8_000 });
    await raw.closed(2_000);
    const status = statusesIn(raw.received());
    raw.socket.destroy();
    // What is in the buffers of two kernels was not taken by anybody.
    results.push(`${status}, ${sent < 32 * MB ? 'few' : Math.round(sent / MB)} MB`);
  }
  return oneOf(results);
};

function chunkOf(bytes: Buffer): Buffer {
  const head = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([head, bytes, Buffer.from('\r\n')]);
}

const deep = (open: string, close: string, levels = 10_000): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

/** Messages that are read as no others are, or not at all; each is an error of the protocol. */
const MESSAGES: Readonly<Record<string, string>> = {
  'a batch': `[${toolBody('Vault_Write', '{}')}]`,
  'a batch in a batch': `[[${toolBody('Vault_Write', '{}')}]]`,
  nothing: '',
  'half of a message': toolBody('Vault_Write', '{}').slice(0, 60),
  'two messages': `${toolBody('Porch_Echo', '{}')}${toolBody('Vault_Write', '{}')}`,
  'deep arguments': toolBody('Vault_Write', deep('{"child":', '}')),
  'deep lists': deep('[', ']'),
  'a deep message': deep('{"a":', '}'),
  'deep metadata': toolBody('Vault_Write', '{}').replace(
    '"_meta":{',
    `"_meta":{"x":${deep('[', ']')},`,
  ),
  'a deep id': toolBody('Vault_Write', '{}').replace('"id":1', `"id":${deep('[', ']')}`),
  'two names': toolBody('Porch_Echo', '{}').replace('"_meta"', '"name":"Vault_Write","_meta"'),
  'two names, one by escapes': toolBody('Porch_Echo', '{}').replace(
    '"_meta"',
    '"n\\u0061me":"Vault_Write","_meta"',
  ),
  'two methods': toolBody('Vault_Write', '{}').replace('"id":1', '"id":1,"method":"tools/list"'),
  'two params': toolBody('Porch_Echo', '{}').replace(
    '"id":1',
    '"id":1,"params":{"name":"Vault_Write"}',
  ),
  'two ids': toolBody('Vault_Write', '{}').replace('"id":1', '"id":1,"id":2'),
  'two arguments': toolBody('Vault_Write', '{},"arguments":{}'),
  'a response': '{"jsonrpc":"2.0","id":1,"result":{}}',
  'a byte that is no text': `${toolBody('Vault_Write', '{"text":"')}\u{d800}`,
};

/** Each is refused with 400, whoever sends it. */
export const badEnvelopes: Attack = async (site, door) => {
  const results: string[] = [];
  for (const [what, body] of Object.entries(MESSAGES)) {
    const came = await ask(site, door, { ...usual(door, 'vault'), body }, KEEPER);
    results.push(/^400 logged 400$/.test(came) ? 'refused' : `${came} to ${what}`);
  }
  return oneOf(results);
};

/** Arguments that are not those of the tool; a keeper may call it, and it is not called. */
const ARGUMENTS: readonly string[] = [
  '{"nope":1}',
  '{"text":"a","text":"b"}',
  '{"text":"a","te\\u0078t":"b"}',
  '{"child":{"nope":1}}',
  '{"child":{"text":"a","text":"b"}}',
  '{"labels":{"a":"1","a":"2"}}',
  '{"text":7}',
  '{"payload":"***"}',
  '{"text":"\\ud800"}',
  '[]',
  '"text"',
  '{"child":'.repeat(101) + '{}' + '}'.repeat(101),
];

export const badArguments: Attack = async (site, door) => {
  const results: string[] = [];
  for (const json of ARGUMENTS) {
    const came = await ask(site, door, toolRequest('Vault_Write', json), KEEPER);
    results.push(came === 'INVALID_ARGUMENT logged 200' ? came : `${came} to ${json.slice(0, 60)}`);
  }
  return oneOf(results);
};

/** Headers that say something else than the body, which one reader may believe and another not. */
export const headersThatDisagree: Attack = async (site, door) => {
  const call = mcpHeaders('tools/call', 'Vault_Write');
  const { 'mcp-method': _method, ...withoutMethod } = call;
  const { 'mcp-name': _name, ...withoutName } = call;
  const { 'mcp-protocol-version': _version, ...withoutVersion } = call;
  const base64 = (name: string): string => `=?base64?${Buffer.from(name).toString('base64')}?=`;
  const all: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'another name': { ...call, 'mcp-name': 'Porch_Echo' },
    'another name in base64': { ...call, 'mcp-name': base64('Porch_Echo') },
    'broken base64': { ...call, 'mcp-name': '=?base64?*?=' },
    'a name of another case': { ...call, 'mcp-name': 'vault_write' },
    'another method': { ...call, 'mcp-method': 'tools/list' },
    'another revision': { ...call, 'mcp-protocol-version': '2025-11-25' },
    'a revision to come': { ...call, 'mcp-protocol-version': '2099-01-01' },
    'no method': withoutMethod,
    'no name': withoutName,
    'no revision': withoutVersion,
  };
  const results: string[] = [];
  for (const [what, headers] of Object.entries(all)) {
    const request = { ...usual(door, 'vault'), headers };
    const came = await ask(site, door, request, KEEPER);
    results.push(came === '400 logged 400' ? 'refused' : `${came} to ${what}`);
  }
  return oneOf(results);
};

/** What may stand in a message and says who calls, or how: none of it is metadata of the call. */
export const smuggledMetadata: Attack = async (site, door) => {
  const names = [
    'authorization',
    'x-apix-forwarded',
    'x-user',
    'x-roles',
    'cookie',
    'grpc-timeout',
  ];
  const said = Object.fromEntries(names.map((name) => [name, 'Bearer keeper']));
  const of = async (meta: object, params = ''): Promise<string> => {
    const { body, ...request } = toolRequest('Porch_Names', '{}', meta);
    const more = String(body).replace('"params":{', `"params":{${params}`);
    const { text } = await httpCall(site.portOf(door), { ...request, body: more });
    return /"structuredContent":(.*)/.exec(text)?.[1] ?? text;
  };
  const usualNames = await of({});
  const others = [
    await of(said),
    await of({ headers: said, metadata: said }),
    await of({}, `"metadata":${JSON.stringify(said)},"headers":${JSON.stringify(said)},`),
  ];
  return others.every((names) => names === usualNames) ? 'none arrives' : others.join(' | ');
};

/** Text of a caller in each place of a message that events have: one line for each. */
export const forgedFacts: Attack = async (site, door) => {
  const text = '\r\n\u001b[2J\u0085\u2028\u202e\0{"level":"fatal","message":"forged"}';
  const info = { ...META, 'io.modelcontextprotocol/clientInfo': { name: text, version: text } };
  const client = { ...toolRequest('Porch_Echo', '{}', info) };
  const unknown = toolRequest('x', '{}');
  const body = toolBody(text, '{}');
  const name = `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const requests: readonly HttpRequest[] = [
    client,
    { ...unknown, body, headers: { ...unknown.headers, 'mcp-name': name } },
    { ...mcpRequest('x'), body: mcpRequest(text).body },
    {
      ...mcpRequest('tools/list'),
      body: mcpRequest('tools/list').body.replace('"id":1', `"id":${JSON.stringify(text)}`),
    },
  ];
  const answers: string[] = [];
  for (const request of requests) answers.push(await ask(site, door, request));
  return oneOf(answers.map((came) => (/ logged (200|400|401)$/.test(came) ? 'one event' : came)));
};
