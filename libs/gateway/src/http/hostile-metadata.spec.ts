import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ASSERTED, FORWARDED, FREE, INTERNAL } from '../fixtures/header-names.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask } from '../fixtures/serve.fixture.js';
import { refusal } from '../fixtures/talk.fixture.js';
import { RESERVED } from '../metadata/keys.js';
import type { TranscodingOptions } from '../options.js';
import { webSockets } from './websocket/web-sockets.js';

type Headers = NonNullable<Ask['headers']>;

/** Ways to write a name so that somebody on the way reads another one. */
const SPELLINGS: readonly (readonly [how: string, spell: (name: string) => Headers])[] = [
  ['as it is', (name) => ({ [`Grpc-Metadata-${name}`]: 'root' })],
  ['in capitals', (name) => ({ [`GRPC-METADATA-${name.toUpperCase()}`]: 'root' })],
  ['with -bin', (name) => ({ [`Grpc-Metadata-${name}-bin`]: 'cm9vdA==' })],
  ['with -bin twice', (name) => ({ [`Grpc-Metadata-${name}-Bin-bin`]: 'cm9vdA==' })],
  ['with _bin', (name) => ({ [`Grpc-Metadata-${name}_bin`]: 'root' })],
  ['twice', (name) => ({ [`Grpc-Metadata-${name}`]: ['root', 'admin'] })],
  ['with _ for -', (name) => ({ [`Grpc-Metadata-${name.replaceAll('-', '_')}`]: 'root' })],
  ['with . for -', (name) => ({ [`Grpc-Metadata-${name.replaceAll('-', '.')}`]: 'root' })],
  ['with the prefix twice', (name) => ({ [`Grpc-Metadata-Grpc-Metadata-${name}`]: 'root' })],
];

/** As everybody's metadata is, without a header. */
const OWN = ['x-apix-forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-request-id'];
/** What grpc-js adds on the wire. */
const WIRE = ['accept-encoding', 'content-type', 'te', 'user-agent', 'grpc-accept-encoding'];

describe.each(['network', 'http2', 'in-process'] as const)('hostile names over %s', (transport) => {
  const rig = useRig(transport);

  async function seenBy(port: number, headers: Headers): Promise<[number, string[], string]> {
    const { status, json, text } = await ask(port, '/v1/metadata', { headers });
    const { metadata = {} } = json as { metadata?: Record<string, string> };
    const known = new Set([...OWN, ...WIRE, 'grpc-timeout']);
    return [status, Object.keys(metadata).filter((key) => !known.has(key)), text];
  }

  it.each(SPELLINGS)(
    'the backend sees none of the names that others vouch for, written %s',
    async (_how, spell) => {
      const port = await rig.start({ forwardHeaders: ['X-Plain', 'x-signed-bin', 'X_Odd.Name'] });
      const before = rig.echo.calls.length;
      const through: string[] = [];
      const named = ['x-plain', 'x-signed', 'x-odd-name'];
      for (const name of [...ASSERTED, ...INTERNAL, ...FORWARDED, ...named]) {
        const [status, , text] = await seenBy(port, spell(name));
        if (status !== 400 || !text.includes('is reserved and cannot be set')) through.push(name);
      }
      expect(through).toEqual([]);
      expect(rig.echo.calls.length).toBe(before);
    },
    30_000,
  );

  it('the backend sees every other name, and it alone', async () => {
    const port = await rig.start();
    const seen: string[] = [];
    for (const name of FREE) {
      const [status, keys] = await seenBy(port, { [`Grpc-Metadata-${name}`]: 'v' });
      expect([status, keys]).toEqual([200, [name]]);
      seen.push(...keys);
    }
    expect(seen).toEqual(FREE);
  });

  it('the backend sees headers without the prefix only where they are forwarded', async () => {
    const port = await rig.start({ forwardHeaders: ['x-user'] });
    const all = [...ASSERTED, ...FREE].filter(
      (name) => !['host', 'authorization', 'sec-websocket-key', 'x-request-id'].includes(name),
    );
    for (let from = 0; from < all.length; from += 50) {
      const batch = all.slice(from, from + 50);
      const headers = Object.fromEntries(
        batch.flatMap((name) => [
          [name, 'v'],
          [name.replaceAll('-', '_'), 'root'],
          [`${name}-bin`, 'cm9vdA=='],
          [`grpc_metadata_${name}`, 'root'],
        ]),
      );
      const [status, keys] = await seenBy(port, headers);
      expect([status, keys]).toEqual([200, batch.filter((name) => name === 'x-user')]);
    }
  });

  describe('a server that trusts a header which a proxy sets', () => {
    const options: TranscodingOptions = { forwardHeaders: ['x-user'] };
    const userOf = (json: unknown): unknown =>
      (json as { metadata?: Record<string, string> }).metadata?.['x-user'];

    it.each(SPELLINGS)('believes the header, and nobody who forges it %s', async (_how, spell) => {
      const port = await rig.start(options);
      const before = rig.echo.calls.length;
      for (const real of [{}, { 'x-user': 'alice' }]) {
        const forged = await ask(port, '/v1/metadata', {
          headers: { ...real, ...spell('x-user') },
        });
        expect([forged.status, userOf(forged.json)]).toEqual([400, undefined]);
      }
      expect(rig.echo.calls.length).toBe(before);
      const real = await ask(port, '/v1/metadata', { headers: { 'x-user': 'alice' } });
      expect([real.status, userOf(real.json)]).toEqual([200, 'alice']);
    });

    it('is not called for a WebSocket whose handshake forges it', async () => {
      const port = await rig.start({ ...options, webSockets: webSockets() });
      const before = rig.echo.calls.length;
      const headers = { 'x-user': 'alice', 'Grpc-Metadata-X-User': 'root' };
      expect(await refusal(port, '/v1/chat', { headers })).toMatchObject({
        status: 400,
        json: { detail: expect.stringContaining('"x-user" is reserved') },
      });
      expect(rig.echo.calls.length).toBe(before);
    });
  });

  describe('the option metadata', () => {
    it.each<[TranscodingOptions['metadata'], string, number]>([
      [true, 'tenant', 200],
      [false, 'tenant', 400],
      [['Tenant', 'trace-bin'], 'tenant', 200],
      [['Tenant', 'trace-bin'], 'TRACE-BIN', 200],
      [['Tenant', 'trace-bin'], 'tenant-bin', 400],
      [['Tenant', 'trace-bin'], 'other', 400],
      [[], 'tenant', 400],
    ])('as %j answers Grpc-Metadata-%s with %d', async (metadata, key, status) => {
      const port = await rig.start({ ...(metadata !== undefined && { metadata }) });
      const answer = await ask(port, '/v1/metadata', {
        headers: { [`Grpc-Metadata-${key}`]: 'YQ==' },
      });
      const detail = (answer.json as { detail?: string }).detail ?? '';
      expect([answer.status, detail]).toEqual([
        status,
        status === 200
          ? ''
          : `header Grpc-Metadata-${key.toLowerCase()}: "${key.toLowerCase()}" is not accepted from callers`,
      ]);
    });

    it.each([
      [
        ['x-user', 'tenant', 'a b'],
        [/"x-user" is reserved/, /"a b" is not a metadata key/],
      ],
      [['Cookie-bin'], [/"cookie-bin" is reserved/]],
      [['X_Plain'], [/"x_plain" is reserved/]],
      [['grpc-timeout'], [/"grpc-timeout" is reserved/]],
      [
        'tenant' as never,
        [/metadata: must be true, false or a list of metadata keys, not "tenant"/],
      ],
      [[1] as never, [/metadata: must be true, false or a list of metadata keys, not an array/]],
    ])('as %j is a mistake of the options', async (metadata, mistakes) => {
      const start = rig.start({ metadata, forwardHeaders: ['x-plain'], maxBodyBytes: -1 });
      const { message } = await start.then(
        () => new Error('started'),
        (error: Error) => error,
      );
      for (const mistake of [...mistakes, /maxBodyBytes/]) expect(message).toMatch(mistake);
    });
  });

  it('a header ending in -bin that is forwarded is binary metadata', async () => {
    const port = await rig.start({ forwardHeaders: ['x-signed-bin'] });
    const answer = await ask(port, '/v1/metadata', { headers: { 'x-signed-bin': 'aGk=' } });
    expect(answer.json).toMatchObject({ metadata: { 'x-signed-bin': 'hi' } });
    const broken = await ask(port, '/v1/metadata', { headers: { 'x-signed-bin': '***' } });
    expect(broken.status).toBe(400);
  });
});

describe('the page on metadata', () => {
  it('lists the reserved names, no more and no fewer', () => {
    const page = readFileSync(
      new URL('../../../../docs/gateway-metadata.md', import.meta.url),
      'utf8',
    );
    const rows = [...page.matchAll(/^\| ([^|`]+?) +\| (`.*`) +\|$/gm)].map(
      ([, of = '', names = '']) => [of, [...names.matchAll(/`([^`]+)`/g)].map((it) => it[1])],
    );
    expect(Object.fromEntries(rows)).toEqual(RESERVED);
  });

  it('is backed by more than 500 spellings of names', () => {
    expect(new Set([...ASSERTED, ...INTERNAL, ...FREE]).size * SPELLINGS.length).toBeGreaterThan(
      500,
    );
  });
});
