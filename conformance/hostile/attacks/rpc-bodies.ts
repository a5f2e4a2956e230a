import { gzipSync } from 'node:zlib';
import { codeName } from '@apix/contracts';
import { frame } from '../grpc-call.js';
import type { HttpAnswer } from '../http-call.js';
import { asked, grpcStatusIn, oneOf } from '../knock.js';
import type { Attack } from '../row.js';

const MB = 2 ** 20;
const GZIP = { 'grpc-encoding': 'gzip', 'connect-content-encoding': 'gzip' };

/** A note whose text is so long, as JSON. */
const note = (bytes: number): Buffer => Buffer.from(`{"text":"${'*'.repeat(bytes)}"}`);

interface RpcBody {
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bodies of messages with heads, by what is wrong with them. */
const BODIES: Readonly<Record<string, () => RpcBody>> = {
  'a bomb': () => ({ body: frame(gzipSync(note(32 * MB)), 1), headers: GZIP }),
  'broken gzip': () => ({ body: frame(Buffer.from('this is no gzip'), 1), headers: GZIP }),
  'compressed without a coding': () => ({ body: frame(gzipSync(note(1)), 1) }),
  'of an unknown coding': () => ({
    body: frame(note(1)),
    headers: { 'grpc-encoding': 'nope', 'connect-content-encoding': 'nope' },
  }),
  'too large': () => ({ body: frame(note(4 * MB)) }),
  'too large by its prefix': () => ({ body: frame(Buffer.from('x'), 0, 0xffff_fff0) }),
  'cut off': () => ({ body: frame(Buffer.from('{'), 0, 100) }),
  'trailers first': () => ({ body: frame(Buffer.from('grpc-status: 0\r\n'), 0x80) }),
  'not a message': () => ({ body: frame(Buffer.from('{"text":7}')) }),
};

/** What each of them must come to, for callers who are let in. */
const CODES: Readonly<Record<string, string>> = {
  'a bomb': 'RESOURCE_EXHAUSTED',
  'broken gzip': 'INVALID_ARGUMENT',
  'compressed without a coding': 'INTERNAL',
  'of an unknown coding': 'UNIMPLEMENTED',
  'too large': 'RESOURCE_EXHAUSTED',
  'too large by its prefix': 'RESOURCE_EXHAUSTED',
  'cut off': 'INVALID_ARGUMENT',
  'trailers first': 'INVALID_ARGUMENT',
  'not a message': 'INVALID_ARGUMENT',
};

/** Protocols that have such messages; a stream of Connect has its status at its end. */
const TYPES = [
  'application/connect+json',
  'application/grpc-web+json',
  'application/grpc-web-text+json',
];

/** Bad messages for everybody: `as they should`, or those that came to something else. */
export const rpcBodies: Attack = async (site, door) => {
  const others: string[] = [];
  for (const [how, code] of Object.entries(CODES)) {
    const came = await all(how, 'Porch/Watch', (request) => asked(site, door, request));
    if (came !== `${code} logged 200`) others.push(`${how}: ${came}`);
  }
  return others.length === 0 ? 'as they should' : others.join('; ');
};

/** The same for keepers alone, from a caller without credentials. */
export const anonymousRpcBodies: Attack = async (site, door) => {
  const answers: string[] = [];
  for (const how of Object.keys(CODES)) {
    answers.push(await all(how, 'Vault/Follow', (request) => asked(site, door, request)));
  }
  return oneOf(answers);
};

interface RpcPost {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

async function all(
  how: string,
  method: string,
  send: (request: RpcPost) => Promise<{ readonly answer: HttpAnswer; readonly log: string }>,
): Promise<string> {
  const { body, headers } = BODIES[how]!();
  const answers: string[] = [];
  for (const type of TYPES) {
    const isText = type.includes('-text');
    const { answer, log } = await send({
      method: 'POST',
      path: `/api/strangers.v1.${method}`,
      headers: { 'content-type': type, ...headers },
      body: isText ? Buffer.from(body.toString('base64')) : body,
    });
    answers.push(`${codeIn(answer, isText)} ${log}`);
  }
  return oneOf(answers);
}

function codeIn(answer: HttpAnswer, isText: boolean): string {
  const { status, text: sent } = answer;
  const text = isText ? Buffer.from(sent, 'base64').toString('latin1') : sent;
  const inGrpc = grpcStatusIn({ ...answer, text });
  if (inGrpc !== undefined) return codeName(Number(inGrpc));
  return /"code":"(\w+)"/.exec(text)?.[1]?.toUpperCase() ?? `HTTP ${status}`;
}
