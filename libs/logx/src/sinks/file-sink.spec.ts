import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import { fakeClock, type FakeClock } from '@apix/contracts/testing';
import * as fc from 'fast-check';
import type { LogEvent } from '../event/log-event.js';
import { fileSink, type FileSinkOptions } from './file-sink.js';
import { LineWriter } from './line-writer.js';
import { planRotation, type Rotation } from './rotation.js';
import { SharedFileOutlet } from './shared-file-outlet.js';
import { createLogger } from '../logger/create-logger.js';
import type { Sink } from './sink.js';

const START = Date.UTC(2026, 10, 21, 3, 4, 5, 678);
const MEBIBYTE = 1024 * 1024;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const event = {} as LogEvent;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('fileSink', () => {
  let directory: string;
  let path: string;
  let clock: FakeClock;
  let errors: Error[];
  let opened: Sink[];

  beforeEach(() => {
    directory = fs.mkdtempSync(join(os.tmpdir(), 'logx-file-'));
    path = join(directory, 'app.json');
    clock = fakeClock(START);
    errors = [];
    opened = [];
  });
  afterEach(async () => {
    const deadline = deadlineAfter(100);
    for (const sink of opened) await sink.close?.(deadline);
    deadline.dispose();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  const open = (options: FileSinkOptions = {}): Sink => {
    const sink = fileSink(path, { clock, ...options }).open({
      onError: (error) => errors.push(error),
    });
    opened.push(sink);
    return sink;
  };
  const log = (sink: Sink, ...lines: string[]): void => {
    for (const line of lines) sink.write!(`${line}\n`, event);
  };
  const messages = (): string[] => errors.map((error) => error.message);
  const read = (file: string): string => {
    const bytes = fs.readFileSync(join(directory, file));
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  };
  const files = (): string[] => fs.readdirSync(directory).toSorted();
  const rotation = (bytes: number, more: Rotation = {}): FileSinkOptions => ({
    rotation: { maxSizeMB: bytes / MEBIBYTE, ...more },
  });
  /** The files in the order in which they were written. */
  const inOrder = (): string[] =>
    files().toSorted(
      (a, b) => Number(a === 'app.json') - Number(b === 'app.json') || (a < b ? -1 : 1),
    );
  const everything = (): string => inOrder().map(read).join('');

  describe('without rotation', () => {
    it('appends to the file, and creates it with its directories', async () => {
      path = join(directory, 'deep', 'er', 'app.json');
      log(open(), 'one');
      await turn();
      log(open(), 'two');
      await turn();
      expect(fs.readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    });

    it('throws at opening what the system says of a file that cannot be opened', () => {
      path = directory;
      expect(() => open()).toThrow(/EISDIR/);
    });

    it('creates files that others than owner and group cannot read', () => {
      open();
      expect(fs.statSync(path).mode & 0o777 & 0o027).toBe(0);
    });

    it('never throws to the caller, reports ENOSPC, and goes on when the disk does', async () => {
      fs.symlinkSync('/dev/full', path);
      const sink = open();
      log(sink, 'one');
      await turn();
      expect(messages()).toEqual([
        `logx: cannot write to file ${path}: ENOSPC: no space left on device, write; lines wait in memory`,
      ]);
      fs.unlinkSync(path);
      log(sink, 'two');
      await clock.advance(5_000);
      expect(read('app.json')).toBe('one\ntwo\n');
    });

    it('creates the file again when its directory was deleted, and reports that', async () => {
      path = join(directory, 'logs', 'app.json');
      const sink = open();
      log(sink, 'one');
      await turn();
      fs.rmSync(join(directory, 'logs'), { recursive: true });
      clock.jump(1_000);
      log(sink, 'two');
      await turn();
      expect(fs.readFileSync(path, 'utf8')).toBe('two\n');
      expect(messages()).toEqual([
        `logx: file ${path} was moved or deleted while in use; a new one begins`,
      ]);
    });

    it('keeps the lines while the file cannot be opened again', async () => {
      path = join(directory, 'logs', 'app.json');
      const sink = open();
      fs.rmSync(join(directory, 'logs'), { recursive: true });
      fs.writeFileSync(join(directory, 'logs'), 'in the way');
      clock.jump(1_000);
      log(sink, 'one');
      await turn();
      expect(messages().at(-1)).toMatch(/cannot write to file .*(EEXIST|ENOTDIR)/);
      fs.unlinkSync(join(directory, 'logs'));
      await clock.advance(5_000);
      expect(fs.readFileSync(path, 'utf8')).toBe('one\n');
    });

    it('follows a file that another program moved away', async () => {
      const sink = open();
      log(sink, 'one');
      await turn();
      fs.renameSync(path, `${path}.1`);
      clock.jump(1_000);
      log(sink, 'two');
      await turn();
      expect([read('app.json.1'), read('app.json')]).toEqual(['one\n', 'two\n']);
    });
  });

  describe('rotated by size', () => {
    it('names old files as lumberjack does, by the time of rotation', async () => {
      const sink = open(rotation(10));
      log(sink, '12345', '12345');
      await turn();
      expect(files()).toEqual(['app-2026-11-21T03-04-05.678.json', 'app.json']);
      expect(everything()).toBe('12345\n12345\n');
    });

    it.each([
      [99, 1],
      [100, 1],
      [101, 2],
    ])('puts %i bytes within a limit of 100 into %i file(s)', async (bytes, count) => {
      const sink = open(rotation(100));
      log(sink, 'x'.repeat(49), 'x'.repeat(bytes - 51));
      await turn();
      expect(files()).toHaveLength(count);
    });

    it('gives a line larger than a file one of its own', async () => {
      const sink = open(rotation(100));
      log(sink, 'small', 'x'.repeat(500), 'small', 'y'.repeat(100_000), 'end');
      await turn();
      expect(files().map((file) => read(file).length)).toEqual([6, 501, 6, 100_001, 4]);
      expect(errors).toEqual([]);
    });

    it('continues the same file after a restart and counts what is in it', async () => {
      fs.writeFileSync(path, 'x'.repeat(95));
      const sink = open(rotation(100));
      log(sink, 'abcd');
      await turn();
      expect(files()).toHaveLength(1);
      log(sink, 'e');
      await turn();
      expect(files()).toHaveLength(2);
      expect(read('app.json')).toBe('e\n');
    });

    it('honours maxBackups, also for those of the run before', async () => {
      for (const second of ['01', '02', '03', '04']) {
        fs.writeFileSync(join(directory, `app-2026-11-20T00-00-${second}.000.json`), second);
      }
      fs.writeFileSync(join(directory, 'app-notes.json'), 'not ours');
      const sink = open(rotation(10, { maxBackups: 2 }));
      log(sink, '12345', '12345');
      await sink.close!();
      expect(files()).toEqual([
        'app-2026-11-20T00-00-04.000.json',
        'app-2026-11-21T03-04-05.678.json',
        'app-notes.json',
        'app.json',
      ]);
    });

    it('deletes old files by the age in their names', async () => {
      fs.writeFileSync(join(directory, 'app-2026-11-17T03-04-05.000.json'), '');
      fs.writeFileSync(join(directory, 'app-2026-11-17T00-00-00.000.json.gz'), '');
      fs.writeFileSync(join(directory, 'app-2026-11-19T00-00-00.000.json'), '');
      const sink = open(rotation(10, { maxAgeDays: 3 }));
      await sink.close!();
      expect(files()).toEqual(['app-2026-11-19T00-00-00.000.json', 'app.json']);
    });

    it('says where an old file cannot be deleted, and goes on logging', async () => {
      fs.mkdirSync(join(directory, 'app-2026-11-17T00-00-00.000.json'));
      const sink = open(rotation(10, { maxAgeDays: 3 }));
      log(sink, '12345', 'next');
      await sink.close!();
      expect(messages()[0]).toMatch(/^logx: cannot clean up old files in .*logx-file-.*: .*EISDIR/);
      expect(read('app.json')).toBe('next\n');
    });

    it('compresses old files in the background, and makes good an interrupted run', async () => {
      fs.writeFileSync(join(directory, 'app-2026-11-20T00-00-00.000.json'), 'zero\n');
      fs.writeFileSync(join(directory, 'app-2026-11-20T00-00-00.000.json.gz.tmp'), 'half');
      fs.writeFileSync(join(directory, 'app-2026-11-20T00-00-01.000.json.gz.tmp'), 'orphan');
      const sink = open(rotation(10, { compress: true }));
      log(sink, '12345', '12345');
      await sink.close!();
      expect(files()).toEqual([
        'app-2026-11-20T00-00-00.000.json.gz',
        'app-2026-11-21T03-04-05.678.json.gz',
        'app.json',
      ]);
      expect(everything()).toBe('zero\n12345\n12345\n');
    });

    it('goes on in the same file when it cannot be moved, and says so', async () => {
      const sink = open(rotation(10));
      log(sink, '12345');
      await turn();
      fs.unlinkSync(path);
      log(sink, '12345', 'next');
      await turn();
      expect(messages()[0]).toMatch(/^logx: cannot rotate file .*ENOENT/);
      expect(everything()).toBe('12345\nnext\n');
    });

    it.each([false, true])(
      'loses and splits no line over 1,000 rotations (async: %s)',
      async (async) => {
        const sink = open({ ...rotation(2_000), async: async && 1_000_000 });
        let expected = '';
        for (let i = 0; i < 12_000; i++) {
          const line = `{"n":${i},"text":"${'x'.repeat(150)}"}`;
          expected += `${line}\n`;
          log(sink, line);
          if (i % 100 === 0) await turn();
        }
        // More than flushing waits by itself, as the machine may be busy.
        const deadline = deadlineAfter(50_000);
        await sink.flush!(deadline);
        deadline.dispose();
        const texts = inOrder().map(read);
        expect(texts.length).toBeGreaterThan(1_000);
        expect(texts.join('') === expected).toBe(true);
        expect(texts.filter((text) => !text.endsWith('}\n') || text.length > 2_000)).toEqual([]);
        expect(errors).toEqual([]);
      },
      60_000,
    );

    it('keeps the files within their size when the disk was full in between', async () => {
      path = join(directory, 'app.json');
      const sink = open(rotation(1_000));
      fs.unlinkSync(path);
      fs.symlinkSync('/dev/full', path);
      clock.jump(1_000);
      let expected = '';
      for (let i = 0; i < 100; i++) {
        expected += `${i} ${'x'.repeat(90)}\n`;
        log(sink, `${i} ${'x'.repeat(90)}`);
        if (i % 7 === 0) await turn();
      }
      fs.unlinkSync(path);
      await clock.advance(10_000);
      await sink.flush!();
      expect(everything()).toBe(expected);
      expect(files().filter((file) => read(file).length > 1_000)).toEqual([]);
    });
  });

  describe('rotated by time', () => {
    it.each([
      ['hourly', START + HOUR - 245_678, START + HOUR],
      ['daily', START + 12 * HOUR, START + DAY],
    ] as const)('%s: a new file with the first line of the period', async (every, same, next) => {
      const sink = open({ rotation: { every } });
      log(sink, 'one');
      clock.jump(same - 1 - clock.now());
      log(sink, 'two');
      clock.jump(next - clock.now());
      log(sink, 'three');
      await turn();
      expect(files()).toHaveLength(2);
      expect(read('app.json')).toBe('three\n');
    });

    it.each([
      ['in the same period', START - HOUR, 1],
      ['in an earlier one', START - DAY, 2],
    ])('after a restart, a file last written %s', async (_when, mtime, count) => {
      fs.writeFileSync(path, 'before\n');
      fs.utimesSync(path, mtime / 1_000, mtime / 1_000);
      const sink = open({ rotation: { every: 'daily' } });
      log(sink, 'after');
      await turn();
      expect(files()).toHaveLength(count);
      expect(everything()).toBe('before\nafter\n');
    });

    it('leaves no empty old files behind when nothing was logged', async () => {
      const sink = open({ rotation: { every: 'hourly' } });
      clock.jump(10 * HOUR);
      log(sink, 'one');
      await turn();
      expect(files()).toEqual(['app.json']);
    });
  });

  it.each<[Rotation, RegExp]>([
    [{ maxSizeMB: -1 }, /rotation\.maxSizeMB: .* not -1/],
    [{ maxBackups: Number.NaN }, /rotation\.maxBackups: .* not NaN/],
    [{ maxAgeDays: Infinity }, /rotation\.maxAgeDays: .* not Infinity/],
    [{ every: 'weekly' as 'daily' }, /rotation\.every: must be one of .*, not "weekly"/],
  ])('refuses the rotation %j', (wrong, message) => {
    expect(() => fileSink(path, { rotation: wrong })).toThrow(message);
  });

  it('with any lines at any times: no file too large, all lines there, none split', async () => {
    const step = fc.record({
      size: fc.integer({ min: 0, max: 3_000 }),
      wait: fc.constantFrom(0, 0, 0, 1, 1_000, HOUR / 3, HOUR, 5 * HOUR),
      turn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom('none' as const, 'hourly' as const, 'daily' as const),
        fc.boolean(),
        async (steps, every, async) => {
          for (const file of files()) fs.unlinkSync(join(directory, file));
          const sink = open({ ...rotation(1_000, { every }), async: async && 1_000 });
          let expected = '';
          for (const [i, { size, wait, turn: ends }] of steps.entries()) {
            clock.jump(wait);
            const line = `${i} ${'ß'.repeat(size / 2)}`;
            expected += `${line}\n`;
            log(sink, line);
            if (ends) await turn();
          }
          await sink.close!();
          expect(everything()).toBe(expected);
          for (const file of files()) {
            const text = read(file);
            expect(text).toMatch(/^$|^\d+ [^]*\n$/);
            const tooLarge =
              Buffer.byteLength(text) > 1_000 && text.indexOf('\n') + 1 < text.length;
            expect(tooLarge).toBe(false);
          }
          expect(errors).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux.each([{}, { async: true }, { async: 10 }])(
    'rejects to be closed with what a full disk costs: %j',
    async (options) => {
      const onError = (error: Error): void => void errors.push(error);
      const sink = fileSink('/dev/full', options).open({ onError });
      log(sink, 'one', 'two');
      const deadline = deadlineAfter(50);
      await expect(sink.close!(deadline)).rejects.toThrow(
        /^logx: file \/dev\/full lost 2 lines that it could not write before it was closed: ENOSPC/,
      );
      expect(messages()).toEqual([
        expect.stringMatching(/^logx: cannot write to file \/dev\/full: ENOSPC.*wait in memory$/),
        expect.stringMatching(/^logx: file \/dev\/full dropped 2 lines \(2 in total\)/),
      ]);
      await sink.close!();
    },
  );

  onLinux('lets the logger reject to be closed, too, after its other sinks are', async () => {
    const errorHandler = (error: Error): void => void errors.push(error);
    const sinks = [fileSink('/dev/full'), fileSink(path)];
    const logger = createLogger({ sinks, errorHandler });
    logger.information('kept');
    const deadline = deadlineAfter(50);
    await expect(logger.close(deadline)).rejects.toThrow(
      /^logx: file could not be closed: logx: file \/dev\/full lost 1 line that .*: ENOSPC/,
    );
    expect(read('app.json')).toContain('"message":"kept"');
  });
});

describe('a log file of several processes', () => {
  const mark = Symbol.for('apix.ProcessMark');
  const shared = globalThis as { [mark]?: unknown };
  const before = shared[mark];
  let folder: string;
  let path: string;
  let clock: FakeClock;
  let errors: string[];
  let open: { close(): Promise<void> }[];

  beforeEach(() => {
    folder = fs.mkdtempSync(join(os.tmpdir(), 'apix-process-'));
    path = join(folder, 'shop.json');
    clock = fakeClock(START);
    errors = [];
    open = [];
  });
  afterEach(async () => {
    shared[mark] = before;
    jest.restoreAllMocks();
    for (const each of open) await each.close();
    fs.rmSync(folder, { recursive: true });
  });

  /** What one of the processes writes with. */
  const processOf = (leader: { name: string }, name: string, rotation?: Rotation): LineWriter => {
    const outlet = new SharedFileOutlet(path, {
      mode: 0o640,
      clock,
      plan: rotation && planRotation(rotation),
      onError: ({ message }) => errors.push(message),
      isLeading: () => leader.name === name,
    });
    const writer = new LineWriter(outlet, { onError: ({ message }) => errors.push(message) });
    open.push(writer);
    return writer;
  };
  const write = (writer: LineWriter, line: string): void => {
    writer.write(`${line}\n`);
    writer.flushSync();
  };
  const read = (file: string): string => fs.readFileSync(join(folder, file), 'utf8');
  const old = (ms: number): string =>
    `shop-${new Date(START + ms).toISOString().slice(0, 23).replaceAll(':', '-')}.json`;

  it('is one file, with events that say which process has written them', async () => {
    shared[mark] = { index: 2, seat: 3, count: 2, parent: process.ppid };
    const logger = createLogger({ sinks: [fileSink(path)] });
    logger.information('Hello');
    await logger.close();
    expect(fs.readdirSync(folder)).toEqual(['shop.json']);
    expect(JSON.parse(read('shop.json'))).toMatchObject({ 'process.index': 2 });
  });

  it('is rotated by the leader alone, and the others follow with their next line', () => {
    const leader = { name: 'a' };
    const [a, b] = ['a', 'b'].map((name) => processOf(leader, name, { maxSizeMB: 8 / MEBIBYTE }));
    write(a!, 'a1');
    for (const line of ['b1', 'b2', 'b3']) write(b!, line);
    expect(read('shop.json')).toBe('a1\nb1\nb2\nb3\n');
    write(a!, 'a2');
    write(b!, 'b4');
    expect([read(old(0)), read('shop.json')]).toEqual(['a1\nb1\nb2\nb3\n', 'a2\nb4\n']);
    // The process that did is killed, and another one leads.
    leader.name = 'b';
    write(a!, 'a3');
    write(b!, 'b5');
    expect([read(old(1)), read('shop.json')]).toEqual(['a2\nb4\na3\n', 'b5\n']);
    expect(errors).toEqual([]);
  });

  it('is rotated by a leader that writes nothing itself', async () => {
    const leader = { name: 'a' };
    processOf(leader, 'a', { maxSizeMB: 2 / MEBIBYTE });
    const b = processOf(leader, 'b', { maxSizeMB: 2 / MEBIBYTE });
    write(b, 'b1');
    while (fs.readdirSync(folder).length === 1) await turn();
    write(b, 'b2');
    expect([read(old(0)), read('shop.json')]).toEqual(['b1\n', 'b2\n']);
  });

  it('begins with the first line of a day', () => {
    const leader = { name: 'a' };
    const [a, b] = ['a', 'b'].map((name) => processOf(leader, name, { every: 'daily' }));
    write(b!, 'b1');
    // In one turn, so that the leader's look, of the machine's clock, does not rotate it.
    clock.jump(DAY);
    write(b!, 'b2');
    write(a!, 'a1');
    write(b!, 'b3');
    expect(read('shop.json')).toBe('a1\nb3\n');
  });

  it('is compressed when nobody can be about to write to it any more', async () => {
    // Two lines are too many; one alone is not, so that the leader's look rotates nothing.
    const a = processOf({ name: 'a' }, 'a', { maxSizeMB: 3 / MEBIBYTE, compress: true });
    for (const line of ['1', '2', '3']) write(a, line);
    while (!fs.existsSync(join(folder, `${old(0)}.gz`))) await turn();
    await a.close();
    expect(fs.readdirSync(folder).toSorted()).toEqual(
      [`${old(0)}.gz`, old(1), 'shop.json'].toSorted(),
    );
  });

  it('has a line break after what a killed process has left of its last line', () => {
    const a = processOf({ name: 'a' }, 'a');
    fs.appendFileSync(path, 'whole\n{"message":"cut o');
    write(a, 'a1');
    write(a, 'a2');
    expect(read('shop.json')).toBe('whole\n{"message":"cut o\na1\na2\n');
  });

  it('has a line again that could not be written to its end', () => {
    const a = processOf({ name: 'a' }, 'a');
    const real = fs.writeSync;
    jest
      .spyOn(fs, 'writeSync')
      .mockImplementationOnce(((fd: number, bytes: Buffer) =>
        real(fd, bytes, 0, 5)) as typeof fs.writeSync);
    a.write('a1\n');
    write(a, 'a2 is long');
    expect(read('shop.json')).toBe('a1\na2\na2 is long\n');
  });

  it('that cannot be rotated goes on growing, which is reported once', () => {
    const leader = { name: 'a' };
    const a = processOf(leader, 'a', { maxSizeMB: 1 / MEBIBYTE });
    jest.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('EACCES');
    });
    for (const line of ['1', '2', '3']) write(a, line);
    expect(read('shop.json')).toBe('1\n2\n3\n');
    expect(errors).toEqual([`logx: cannot rotate file ${path}, it goes on growing: EACCES`]);
  });

  it.each([
    ['that was moved by another program is begun again, which one process reports', 'a', 1],
    ['that was moved is begun again by the others, too', 'b', 0],
  ])('%s', (_, name, reports) => {
    const writer = processOf({ name: 'a' }, name);
    write(writer, '1');
    fs.renameSync(path, join(folder, 'moved'));
    write(writer, '2');
    expect([read('moved'), read('shop.json'), errors.length]).toEqual(['1\n', '2\n', reports]);
  });
});
