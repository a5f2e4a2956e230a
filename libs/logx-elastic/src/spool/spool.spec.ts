import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { program } from '../../../../tools/testing/program.js';
import type { ElasticConfig } from '../config/elastic-config.js';
import { elasticSink } from '../sink/elastic-sink.js';
import { StubElasticsearch } from '../stub-elasticsearch.fixture.js';
import { isRunning, nameOf } from './owner.js';
import { Spool } from './spool.js';

const MEBIBYTE = 2 ** 20;
const batch = (text: string) => ({ body: Buffer.from(`${text}\n${text}\n`), count: 1 });
const origin = (number: number) => ({ number, since: 1_000 + number });
const down: ElasticConfig['client'] = {
  post: async () => ({ status: 503, headers: {}, body: Buffer.alloc(0) }),
};

describe('Spool', () => {
  let folder: string;
  let spools: Spool[];

  beforeEach(() => {
    folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-spool-'));
    spools = [];
  });
  afterEach(() => {
    for (const spool of spools) spool.close();
    fs.rmSync(folder, { recursive: true });
  });

  const open = (maxBytes = MEBIBYTE): Spool => {
    const spool = new Spool({ path: folder, maxBytes });
    spools.push(spool);
    return spool;
  };
  const reopen = (): Spool => {
    spools.pop()!.close();
    return open();
  };
  const files = (): string[] =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((f) => f.endsWith('.spool'));
  const texts = async ({ recovered }: Spool): Promise<string[]> =>
    Promise.all(
      recovered.map(async (place) => (await place.segment.read(place)).toString().split('\n')[0]!),
    );

  it('gives back after a restart what is not done, in order', async () => {
    const spool = open();
    const places = ['a', 'b', 'c', 'd'].map((text, i) => spool.append(batch(text), origin(i))!);
    spool.done(places[1]!);
    spool.append(batch('b again'), origin(1));
    const next = reopen();
    expect(await texts(next)).toEqual(['a', 'b again', 'c', 'd']);
    expect(next.recovered.map(({ header }) => header)).toMatchObject([
      { count: 1, since: 1_000 },
      { count: 1, since: 1_001 },
      { count: 1, since: 1_002 },
      { count: 1, since: 1_003 },
    ]);
  });

  it('leaves nothing behind when all is done', () => {
    const spool = open();
    const place = spool.append(batch('a'), origin(0))!;
    spool.done(place);
    spool.close();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('starts a new file after a sixteenth of its bytes, and deletes those that are done', () => {
    const spool = open();
    const text = 'x'.repeat(20_000);
    const places = Array.from({ length: 8 }, (_, i) => spool.append(batch(text), origin(i))!);
    expect(files()).toHaveLength(4);
    const before = spool.bytes;
    for (const place of places.slice(0, 4)) spool.done(place);
    expect(files()).toHaveLength(2);
    expect(spool.bytes).toBe(before / 2);
  });

  it('takes no more bytes than it may', () => {
    const spool = open();
    const text = 'x'.repeat(100_000);
    const places = Array.from({ length: 8 }, (_, i) => spool.append(batch(text), origin(i)));
    expect(places.filter((place) => place !== undefined)).toHaveLength(5);
    spool.done(places[0]!);
    expect(spool.append(batch(text), origin(9))).toBeDefined();
    expect(spool.bytes).toBeLessThanOrEqual(MEBIBYTE);
  });

  it.each([
    ['in the header', 40],
    ['in the body', 70],
    ['before the last byte', 1],
  ])('leaves out a batch that was torn %s, and keeps those before it', async (_, cut) => {
    const spool = open();
    for (const i of [0, 1]) spool.append(batch('x'.repeat(20)), origin(i));
    spool.close();
    const [file] = files();
    const path = join(folder, file!);
    fs.truncateSync(path, fs.statSync(path).size - cut);
    const next = reopen();
    expect(await texts(next)).toEqual(['x'.repeat(20)]);
    expect(next.tornBytes).toBe(32 + 42 - cut);
  });

  it('does not give back a batch whose bytes have changed', async () => {
    const spool = open();
    spool.append(batch('precious'), origin(0));
    spool.close();
    const path = join(folder, files()[0]!);
    const bytes = fs.readFileSync(path);
    bytes[bytes.length - 2]! ^= 1;
    fs.writeFileSync(path, bytes);
    const sink = elasticSink({
      addresses: ['http://127.0.0.1:1'],
      index: 'logs',
      client: down,
      spool: { path: folder },
    });
    await sink.close();
    expect(sink.stats()).toMatchObject({ recovered: 1, failed: 1, spooled: 0 });
  });

  it('is of one sink of the process alone', () => {
    open();
    expect(() => open()).toThrow(`another sink of this process uses the spool ${folder}`);
  });

  it('takes over from processes that are gone, and not from those that run', async () => {
    const spool = open();
    spool.append(batch('left'), origin(0));
    spools.pop()!.close();
    const own = join(folder, nameOf(process.pid));
    fs.renameSync(own, join(folder, '999999999-1-0'));
    fs.cpSync(join(folder, '999999999-1-0'), join(folder, `${process.ppid}-0-0`), {
      recursive: true,
    });
    fs.renameSync(join(folder, `${process.ppid}-0-0`), join(folder, nameOf(process.ppid)));
    const next = open();
    expect(await texts(next)).toEqual(['left']);
    expect(fs.readdirSync(folder).toSorted()).toEqual(
      [nameOf(process.ppid), nameOf(process.pid)].toSorted(),
    );
  });

  it('keeps threads of a process apart', () => {
    const other = join(folder, nameOf(process.pid, 7));
    fs.mkdirSync(other);
    fs.writeFileSync(join(other, '0000000001.spool'), 'in use');
    expect(open().recovered).toEqual([]);
    expect(fs.readdirSync(other)).toHaveLength(1);
  });

  it('says that it cannot be used, and why', () => {
    fs.writeFileSync(join(folder, 'file'), '');
    expect(() => new Spool({ path: join(folder, 'file'), maxBytes: MEBIBYTE })).toThrow(
      /^logx-elastic: the spool cannot be used: E(?:NOTDIR|EXIST)/,
    );
  });

  it('knows a process by its start as well, as ids come again', () => {
    expect(isRunning(nameOf(process.pid))).toBe(true);
    expect(isRunning(`${process.pid}-7-0`)).toBe(false);
    expect(isRunning('999999999-7-0')).toBe(false);
  });

  it('takes over off Linux what a process left whose id came again, as in a container', async () => {
    const startOf = (): undefined => undefined;
    const first = new Spool({ path: folder, maxBytes: MEBIBYTE, startOf });
    first.append(batch('left'), origin(0));
    first.close();
    const [own] = fs.readdirSync(folder);
    const anHourAgo = Math.round(Date.now() / 1_000) - 3_600;
    fs.renameSync(join(folder, own!), join(folder, `${process.pid}-${anHourAgo}-0`));
    const next = new Spool({ path: folder, maxBytes: MEBIBYTE, startOf });
    spools.push(next);
    expect(await texts(next)).toEqual(['left']);
    expect(fs.readdirSync(folder)).toEqual([own]);
  });

  it('leaves off Linux what a process may still use', () => {
    const startOf = (): undefined => undefined;
    const other = join(folder, `${process.ppid}-${Math.round(Date.now() / 1_000)}-0`);
    fs.mkdirSync(other);
    fs.writeFileSync(join(other, '0000000001.spool'), 'in use');
    const spool = new Spool({ path: folder, maxBytes: MEBIBYTE, startOf });
    spools.push(spool);
    expect(spool.recovered).toEqual([]);
    expect(fs.readdirSync(other)).toHaveLength(1);
  });

  it('knows off Linux who is gone, as far as that can be known', () => {
    const unknown = (): undefined => undefined;
    const now = Math.round(Date.now() / 1_000);
    expect(isRunning(nameOf(process.pid, 0, unknown), unknown)).toBe(true);
    expect(isRunning(`${process.pid}-${now - 3_600}-0`, unknown)).toBe(false);
    expect(isRunning(`${process.ppid}-${now}-0`, unknown)).toBe(true);
    // Before the machine started.
    expect(isRunning(`${process.ppid}-1000000-0`, unknown)).toBe(false);
    expect(isRunning(`999999999-${now}-0`, unknown)).toBe(false);
  });

  it('is reported once if the disk accepts nothing, and memory is used instead', async () => {
    const errors: string[] = [];
    const sink = elasticSink({
      addresses: ['http://127.0.0.1:1'],
      index: 'logs',
      client: down,
      batchSize: 1,
      retryDelay: 1,
      maxRetries: 0,
      spool: { path: folder },
      onError: ({ message }) => errors.push(message),
    });
    fs.rmSync(folder, { recursive: true });
    for (const n of [1, 2, 3]) sink.write(`{"n":${n}}\n`);
    await sink.flush();
    expect(sink.stats()).toMatchObject({ failed: 3, spooled: 0, queued: 0 });
    await sink.close();
    fs.mkdirSync(folder);
    expect(errors.filter((error) => error.includes('spool'))).toEqual([
      `logx-elastic: logs: cannot write to the spool ${folder}`,
    ]);
  });
});

describe('a process with a spool', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-process-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  const body = (end: string): string => `
    import { elasticSink } from './sink/elastic-sink.js';
    const sink = elasticSink({
      addresses: [process.argv[3]!],
      index: 'logs',
      batchSize: 100,
      maxRetries: 1,
      retryDelay: 10,
      onError: ({ message }) => process.stderr.write(message),
      spool: { path: process.argv[2]! },
    });
    for (let n = 0; n < 1_050; n++) sink.write('{"n":' + n + '}\\n');
    ${end}`;
  const ENDS: readonly (readonly [string, string, number])[] = [
    ['SIGKILL', `process.kill(process.pid, 'SIGKILL');`, 50],
    ['SIGKILL while sending', `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 60);`, 50],
    ['process.exit', 'process.exit(0);', 0],
    ['an uncaught exception', `setTimeout(() => { throw new Error('x'); }, 1);`, 0],
    ['a natural end', '', 0],
  ];

  it.each(ENDS)(
    'loses at most the batch that fills up: %s',
    async (_, end, lost) => {
      const stub = await StubElasticsearch.start();
      stub.behave = () => ({ kind: 'refuse', status: 503 });
      const code = body(end);
      const app = await program({ code, folder: new URL('..', import.meta.url) });
      const { err } = await app.run(folder, stub.address).ended;
      await app.remove();
      expect(err).not.toContain('waited when the process exited');
      expect(stub.taken).toHaveLength(0);
      stub.behave = () => ({ kind: 'take' });
      const sink = elasticSink({
        addresses: [stub.address],
        index: 'logs',
        spool: { path: folder },
      });
      await sink.close();
      await stub.stop();
      const numbers = stub.taken.map(({ n }) => n);
      expect(numbers).toEqual(Array.from({ length: 1_050 - lost }, (_, n) => n));
      expect(fs.readdirSync(folder)).toEqual([]);
    },
    20_000,
  );

  it.each([
    ['process.exit', 'process.exit(0);', 0],
    ['an uncaught exception', `setTimeout(() => { throw new Error('x'); }, 1);`, 1],
  ])('without one tells how many events are lost: %s', async (_, end, status) => {
    const stub = await StubElasticsearch.start();
    stub.behave = () => ({ kind: 'black hole' });
    const code = body(end).replace(/spool:.*/, '');
    const app = await program({ code, folder: new URL('..', import.meta.url) });
    const { err, code: ended } = await app.run(folder, stub.address).ended;
    await app.remove();
    await stub.stop();
    expect(err).toContain(
      'logx-elastic: logs: lost 1050 events that waited when the process exited; close the logger before',
    );
    expect(ended).toBe(status);
  });

  it('without one still sends what is queued when it ends by itself', async () => {
    const stub = await StubElasticsearch.start();
    const code = body('').replace(/spool:.*/, '');
    const app = await program({ code, folder: new URL('..', import.meta.url) });
    expect(await app.run(folder, stub.address).ended).toMatchObject({ code: 0, err: '' });
    await app.remove();
    await stub.stop();
    expect(stub.taken).toHaveLength(1_050);
  });
});
