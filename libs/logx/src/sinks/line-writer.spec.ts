import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import { fakeClock, type FakeClock } from '@apix/contracts/testing';
import * as fc from 'fast-check';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { MAX_WAITING_BYTES } from './limits.js';
import { LineWriter } from './line-writer.js';
import type { Outlet } from './outlet.js';

type Answer = number | string;

/** An outlet that does as it is told: takes all, or so many bytes, or fails with a code. */
class ScriptedOutlet implements Outlet {
  readonly name = 'test outlet';
  readonly writes: string[] = [];
  answers: Answer[] = [];
  otherwise: Answer = 'all';
  closed = 0;
  replaced = false;
  readonly #bytes: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#bytes).toString();
  }

  isGone(error: unknown): boolean {
    return (error as { code?: string }).code === 'EBADF';
  }

  prepare(): boolean {
    const { replaced } = this;
    this.replaced = false;
    return replaced;
  }

  write(bytes: Buffer, offset: number, length: number): number {
    const answer = this.answers.shift() ?? this.otherwise;
    if (typeof answer === 'string' && answer !== 'all') {
      throw Object.assign(new Error(`${answer}: scripted`), { code: answer });
    }
    const taken = typeof answer === 'number' ? Math.min(answer, length) : length;
    const part = Buffer.from(bytes.subarray(offset, offset + taken));
    this.#bytes.push(part);
    this.writes.push(part.toString());
    return taken;
  }

  close(): void {
    this.closed++;
  }
}

type BackgroundArguments = Parameters<NonNullable<Outlet['writeInBackground']>>;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('LineWriter', () => {
  let outlet: ScriptedOutlet;
  let clock: FakeClock;
  let errors: Error[];
  let writer: LineWriter;
  const open = (maxLines?: number): LineWriter => {
    writer = new LineWriter(outlet, { onError: (error) => errors.push(error), maxLines, clock });
    return writer;
  };

  beforeEach(() => {
    outlet = new ScriptedOutlet();
    clock = fakeClock(1_000_000);
    errors = [];
  });
  afterEach(async () => {
    outlet.otherwise = 'all';
    const deadline = deadlineAfter(0);
    await writer.close(deadline);
    deadline.dispose();
  });

  it('writes what a turn logged with one call at its end', async () => {
    open();
    writer.write('one\n');
    writer.write('two\n');
    expect(outlet.writes).toEqual([]);
    await turn();
    expect(outlet.writes).toEqual(['one\ntwo\n']);
  });

  it('lets no more than 64 KiB wait for the end of the turn', () => {
    open();
    const line = `${'x'.repeat(999)}\n`;
    for (let i = 0; i < 1_000; i++) writer.write(line);
    const waiting = 1_000_000 - outlet.text.length;
    expect(waiting).toBeLessThanOrEqual(64 * 1024);
    expect(Math.max(...outlet.writes.map((write) => write.length))).toBeLessThanOrEqual(64 * 1024);
  });

  describe('that gathers', () => {
    beforeEach(() => {
      writer = new LineWriter(outlet, {
        onError: (error) => errors.push(error),
        gatherMs: 5,
        clock,
      });
    });

    it('writes the lines of several turns with one call, so long after the first', async () => {
      writer.write('one\n');
      await turn();
      await clock.advance(4);
      writer.write('two\n');
      expect(outlet.writes).toEqual([]);
      await clock.advance(1);
      expect(outlet.writes).toEqual(['one\ntwo\n']);
      writer.write('three\n');
      await clock.advance(4);
      expect(outlet.writes).toHaveLength(1);
      await clock.advance(1);
      expect(outlet.text).toBe('one\ntwo\nthree\n');
    });

    it('writes an error at the end of its turn, with all before it', async () => {
      const error = { level: Level.Error } as LogEvent;
      writer.write('one\n');
      await turn();
      writer.write('error\n', error);
      await turn();
      expect(outlet.writes).toEqual(['one\nerror\n']);
      writer.write('later\n');
      await turn();
      expect(outlet.writes).toHaveLength(1);
    });

    it('lets no more than 64 KiB wait', () => {
      const line = `${'x'.repeat(999)}\n`;
      for (let i = 0; i < 100; i++) writer.write(line);
      expect(100_000 - outlet.text.length).toBeLessThanOrEqual(64 * 1024);
    });

    it('writes at once what is flushed, and nothing after it is closed', async () => {
      writer.write('one\n');
      await writer.flush();
      expect(outlet.text).toBe('one\n');
      writer.write('two\n');
      await writer.close();
      expect([outlet.text, outlet.closed]).toEqual(['one\ntwo\n', 1]);
      await clock.advance(10);
      expect(outlet.writes).toHaveLength(2);
    });
  });

  it('writes a line larger than its buffer whole and in its place', async () => {
    open();
    const large = `${'ü'.repeat(200_000)}\n`;
    writer.write('before\n');
    writer.write(large);
    writer.write('after\n');
    await turn();
    expect(outlet.text).toBe(`before\n${large}after\n`);
  });

  it('takes lines as bytes and as texts, in order, of any length', async () => {
    open();
    let expected = '';
    for (let i = 0; i < 1_000; i++) {
      const line = `${i} ${'ü'.repeat((i * i) % 7_000)}\n`;
      expected += line;
      if (i % 3 === 0) writer.write(line);
      else writer.writeBytes(Buffer.from(`${line}more`), Buffer.byteLength(line));
    }
    await turn();
    expect(outlet.text === expected).toBe(true);
  });

  it('goes on behind a partial write', async () => {
    open();
    outlet.answers = [2, 3, 'EAGAIN', 1];
    writer.write('first line\n');
    writer.write('second line\n');
    await turn();
    await clock.advance(1);
    expect(outlet.text).toBe('first line\nsecond line\n');
    expect(errors).toEqual([]);
  });

  it.each([3, 20_000])(
    'writes a half-written line again where its beginning is out of reach (%i lines)',
    async (waiting) => {
      open();
      outlet.answers = [20, 'ENOSPC'];
      for (let i = 0; i < waiting; i++) writer.write(`line ${i}\n`);
      await turn();
      outlet.replaced = true;
      await clock.advance(1_000);
      const again = outlet.writes.slice(1).join('');
      expect(outlet.writes[0]).toHaveLength(20);
      expect(again).toMatch(/^line 2\n/);
      expect(again.endsWith(`line ${waiting - 1}\n`)).toBe(true);
    },
  );

  it.each(['ENOSPC', 'EPIPE', 'EACCES', 'EIO'])(
    'tells the error handler of %s once, keeps the lines, and writes them when it can',
    async (code) => {
      open();
      outlet.otherwise = code;
      writer.write('one\n');
      await turn();
      writer.write('two\n');
      await clock.advance(3_000);
      expect(errors.map((error) => error.message)).toEqual([
        `logx: cannot write to test outlet: ${code}: scripted; lines wait in memory`,
      ]);
      expect((errors[0]!.cause as { code: string }).code).toBe(code);
      outlet.otherwise = 'all';
      await clock.advance(5_000);
      expect(outlet.text).toBe('one\ntwo\n');
    },
  );

  it('mentions an outlet that is merely slow when it took nothing for a second', async () => {
    open();
    outlet.otherwise = 'EAGAIN';
    writer.write('one\n');
    await turn();
    await clock.advance(900);
    expect(errors).toEqual([]);
    await clock.advance(200);
    expect(errors.map((error) => error.message)).toEqual([
      'logx: cannot write to test outlet: EAGAIN: scripted; lines wait in memory',
    ]);
  });

  it('bounds what waits for a broken outlet, and says once per interval what it dropped', async () => {
    open();
    outlet.otherwise = 'ENOSPC';
    const line = `${'x'.repeat(1_023)}\n`;
    writer.write(line);
    await turn();
    const lines = MAX_WAITING_BYTES / 1_024 + 100;
    for (let i = 1; i < lines; i++) writer.write(line);
    expect(writer.dropped).toBe(100);
    await clock.advance(5_000);
    const notices = errors.filter((error) => error.message.includes('dropped'));
    expect(notices.map((error) => error.message)).toEqual([
      'logx: test outlet dropped 100 lines (100 in total): it cannot write, or not as fast as the application logs',
    ]);
    outlet.otherwise = 'all';
    await clock.advance(5_000);
    expect(outlet.text).toHaveLength(MAX_WAITING_BYTES);
    writer.write('on again\n');
    await turn();
    expect(outlet.text.endsWith('\non again\n')).toBe(true);
  });

  it('blocks for a slow reader rather than drop, one second at most', () => {
    open();
    outlet.otherwise = 'EAGAIN';
    const line = `${'x'.repeat(65_535)}\n`;
    for (let i = 0; i < MAX_WAITING_BYTES / line.length; i++) writer.write(line);
    expect(writer.dropped).toBe(0);
    const before = Date.now();
    writer.write(line);
    const blocked = Date.now() - before;
    expect(blocked).toBeGreaterThanOrEqual(900);
    expect(blocked).toBeLessThan(10_000);
    const again = Date.now();
    for (let i = 0; i < 100; i++) writer.write(line);
    expect(Date.now() - again).toBeLessThan(900);
    expect(writer.dropped).toBe(101);
  });

  it('drops at once, without blocking, when more than its number of lines wait', async () => {
    open(10);
    outlet.otherwise = 'EAGAIN';
    for (let i = 0; i < 25; i++) writer.write(`${i}\n`);
    expect(writer.dropped).toBe(15);
    outlet.otherwise = 'all';
    await clock.advance(5_000);
    expect(outlet.text).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    expect(errors.map((error) => error.message)).toEqual([
      'logx: test outlet dropped 15 lines (15 in total): it cannot write, or not as fast as the application logs',
    ]);
  });

  it('flushSync writes what waits, here and now', () => {
    open();
    writer.write('one\n');
    writer.flushSync();
    expect(outlet.text).toBe('one\n');
  });

  it('flushSync waits for a slow reader as long as it takes something', () => {
    open();
    outlet.answers = ['EAGAIN', 'EAGAIN', 1, 'EAGAIN', 1, 'EAGAIN'];
    writer.write('one\n');
    writer.flushSync();
    expect(outlet.text).toBe('one\n');
  });

  it('flush resolves when the lines are out', async () => {
    open();
    outlet.answers = ['ENOSPC'];
    writer.write('one\n');
    let flushed = false;
    const flush = writer.flush().then(() => (flushed = true));
    await turn();
    expect(flushed).toBe(false);
    await clock.advance(100);
    await flush;
    expect(outlet.text).toBe('one\n');
  });

  it('neither flush nor close waits for an outlet that is gone', async () => {
    open();
    outlet.answers = ['ENOSPC'];
    outlet.otherwise = 'EBADF';
    writer.write('one\n');
    const flush = writer.flush();
    await turn();
    await clock.advance(100);
    await flush;
    writer.write('two\n');
    await writer.flush();
    await expect(writer.close()).rejects.toThrow(
      'logx: test outlet lost 2 lines that it could not write before it was closed: EBADF: scripted',
    );
    expect(outlet.closed).toBe(1);
  });

  it('close tries an outlet that was gone once more', async () => {
    open();
    outlet.otherwise = 'EBADF';
    writer.write('one\n');
    await turn();
    outlet.otherwise = 'all';
    await writer.close();
    expect(outlet.text).toBe('one\n');
  });

  it('flush gives up at its deadline', async () => {
    open();
    outlet.otherwise = 'ENOSPC';
    writer.write('one\n');
    const deadline = deadlineAfter(5);
    await writer.flush(deadline);
    expect(outlet.text).toBe('');
    expect(deadline.signal.aborted).toBe(true);
  });

  it.each([
    ['the lines that were written whole', 8, 'one\ntwo\n', 2],
    ['those and half of the next', 10, 'one\ntwo\nth', 2],
    ['none', 2, 'on', 4],
  ])('close does not count %s as dropped', async (_which, taken, text, dropped) => {
    open();
    outlet.answers = [taken];
    outlet.otherwise = 'ENOSPC';
    for (const line of ['one', 'two', 'three', 'four']) writer.write(`${line}\n`);
    await expect(writer.close(deadlineAfter(5))).rejects.toThrow(`lost ${dropped} line`);
    expect([outlet.text, writer.dropped]).toEqual([text, dropped]);
  });

  it('close reports what it could not write, and later lines are counted', async () => {
    open();
    outlet.otherwise = 'ENOSPC';
    writer.write('one\n');
    writer.write('two\n');
    const deadline = deadlineAfter(5);
    await expect(writer.close(deadline)).rejects.toThrow(
      'logx: test outlet lost 2 lines that it could not write before it was closed: ENOSPC: scripted',
    );
    expect(errors.at(-1)!.message).toMatch(/dropped 2 lines \(2 in total\)/);
    expect(outlet.closed).toBe(1);
    writer.write('three\n');
    expect(writer.dropped).toBe(3);
    await clock.advance(10_000);
    expect(outlet.text).toBe('');
  });

  it('counts a line larger than its buffer as one where it is lost', async () => {
    open();
    outlet.otherwise = 'ENOSPC';
    writer.write(`${'x'.repeat(100_000)}\n`);
    const deadline = deadlineAfter(5);
    await expect(writer.close(deadline)).rejects.toThrow('logx: test outlet lost 1 line that');
    deadline.dispose();
    expect(writer.dropped).toBe(1);
  });

  it('tells of an outlet that failed on another thread, and tries again by itself', async () => {
    const answers = ['ENOSPC', null];
    const background: Outlet = Object.assign(new ScriptedOutlet(), {
      writeInBackground(...[bytes, offset, length, done]: BackgroundArguments) {
        const code = answers.shift() ?? null;
        if (code === null) outlet.write(bytes, offset, length);
        const error = code === null ? null : Object.assign(new Error(code), { code });
        setImmediate(() => done(error, code === null ? length : 0));
      },
      settleBackground: () => 0,
    });
    const onError = (error: Error): void => void errors.push(error);
    writer = new LineWriter(background, { onError, maxLines: 10, clock });
    writer.write('one\n');
    await turn();
    await turn();
    expect(errors.map(({ message }) => message)).toEqual([
      'logx: cannot write to test outlet: ENOSPC; lines wait in memory',
    ]);
    await clock.advance(100);
    await turn();
    expect(outlet.text).toBe('one\n');
  });

  it.each<[string, number | undefined]>([
    ['in bytes', undefined],
    ['in lines', 3],
  ])('takes a fatal line beyond its bound %s, behind what waits', async (_, maxLines) => {
    open(maxLines);
    outlet.otherwise = 'EIO';
    const line = `${'x'.repeat(50_000)}\n`;
    for (let i = 0; i < 200; i++) writer.write(line, { level: Level.Error } as LogEvent);
    await turn();
    const { dropped } = writer;
    expect(dropped).toBeGreaterThan(0);
    const fatal = { level: Level.Fatal } as LogEvent;
    writer.write('text\n', fatal);
    writer.writeBytes(Buffer.from('bytes\n..'), 6, fatal);
    expect(writer.dropped).toBe(dropped);
    outlet.otherwise = 'all';
    writer.flushSync();
    expect(outlet.text).toMatch(/^x+\n(?:x+\n)*text\nbytes\n$/);
  });

  it('counts a line that is larger than its buffer as one of those that may wait', async () => {
    open(3);
    outlet.otherwise = 'EIO';
    const line = `${'x'.repeat(70_000)}\n`;
    for (let i = 0; i < 5; i++) writer.write(line);
    expect(writer.dropped).toBe(2);
    outlet.otherwise = 'all';
    await clock.advance(5_000);
    expect(outlet.text).toBe(line.repeat(3));
  });

  it.each(['prepare', 'write'] as const)(
    'tries an outlet again whose %s failed for a write in the background',
    async (step) => {
      const failure = Object.assign(new Error('EACCES: no'), { code: 'EACCES' });
      let isReady = false;
      class LateOutlet extends ScriptedOutlet {
        override prepare(): boolean {
          if (step === 'prepare' && !isReady) throw failure;
          return false;
        }
        writeInBackground(
          bytes: Buffer,
          offset: number,
          length: number,
          done: (error: Error | null, written: number) => void,
        ): void {
          if (isReady) setImmediate(() => done(null, this.write(bytes, offset, length)));
          else setImmediate(() => done(failure, 0));
        }
        settleBackground(): number {
          return 0;
        }
      }
      outlet = new LateOutlet();
      open(10);
      writer.write('one\n');
      await turn();
      await turn();
      expect(errors.map(({ message }) => message)).toEqual([
        'logx: cannot write to test outlet: EACCES: no; lines wait in memory',
      ]);
      isReady = true;
      await clock.advance(100);
      await turn();
      expect(outlet.text).toBe('one\n');
    },
  );

  it('neither loses nor tears nor reorders a line, however the outlet behaves', async () => {
    const answer = fc.oneof(
      fc.constant<Answer>('all'),
      fc.integer({ min: 1, max: 50_000 }),
      fc.constantFrom('EAGAIN', 'ENOSPC', 'EPIPE'),
    );
    const step = fc.oneof(
      fc.record({ log: fc.integer({ min: 0, max: 90_000 }) }),
      fc.constantFrom('turn' as const, 'wait' as const, 'flushSync' as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(answer),
        async (steps, script) => {
          outlet = new ScriptedOutlet();
          outlet.answers = [...script];
          open();
          let expected = '';
          for (const [i, next] of steps.entries()) {
            if (next === 'turn') await turn();
            else if (next === 'wait') await clock.advance(100);
            else if (next === 'flushSync') writer.flushSync();
            else {
              const line = `${i} ${'é'.repeat(next.log)}\n`;
              expected += line;
              writer.write(line);
            }
          }
          outlet.answers = [];
          await clock.advance(10_000);
          expect(outlet.text === expected).toBe(true);
          await writer.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
