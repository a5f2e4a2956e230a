import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fakeClock, type FakeClock } from '@apix/contracts/testing';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { AsyncSink } from './async-sink.js';
import { customSink } from './custom-sink.js';
import type { Sink } from './sink.js';

const event = { level: Level.Information } as LogEvent;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('customSink', () => {
  it('refuses an object that takes neither lines nor events', () => {
    expect(() => customSink({}, { kind: 'hollow' })).toThrow(
      'logx: the sink hollow must have write(line) or emit(event)',
    );
  });

  it('carries level, format and kind as data', () => {
    const spec = customSink({ emit() {} }, { kind: 'mine', format: 'ecs', minLevel: Level.Error });
    expect(spec).toMatchObject({ kind: 'mine', format: 'ecs', minLevel: Level.Error });
  });

  it('calls the methods of the object as methods, and its close once it is closed', async () => {
    class Memory implements Sink {
      readonly calls: unknown[] = [];
      write(line: string): void {
        this.calls.push(line);
      }
      flushSync(): void {
        this.calls.push('flushSync');
      }
      async flush(): Promise<void> {
        this.calls.push('flush');
      }
      close(): void {
        this.calls.push('close');
      }
    }
    const memory = new Memory();
    const sink = customSink(memory).open({ onError() {} });
    expect(Object.keys(sink)).not.toContain('emit');
    sink.write!('one\n', event);
    sink.flushSync!();
    await sink.flush!();
    await sink.close!();
    expect(memory.calls).toEqual(['one\n', 'flushSync', 'flush', 'close']);
  });

  it.each([undefined, 10])('leaves nothing behind when it is closed (async: %p)', async (async) => {
    const before = process.listenerCount('exit');
    const spec = customSink({ write() {}, flushSync() {} }, { async });
    const sink = spec.open({ onError() {} });
    expect(process.listenerCount('exit')).toBe(before + 1);
    await sink.close!();
    expect(process.listenerCount('exit')).toBe(before);
  });

  it.each<[boolean | number | undefined, number]>([
    [true, 1024],
    [0, 1024],
    [-5, 1024],
    [3, 3],
  ])('with async: %p lets %i events wait', async (async, room) => {
    const lines: string[] = [];
    const errors: string[] = [];
    const sink = customSink({ write: (line) => void lines.push(line) }, { async }).open({
      onError: ({ message }) => errors.push(message),
    });
    for (let i = 0; i < room + 2; i++) sink.write!(`${i}\n`, event);
    expect(lines).toEqual([]);
    await sink.close!();
    expect(lines).toHaveLength(room);
    expect(errors).toEqual([expect.stringContaining('custom dropped 2 lines (2 in total)')]);
  });
});

describe('AsyncSink', () => {
  let clock: FakeClock;
  let errors: string[];
  let sink: AsyncSink;
  const wrap = (inner: Sink, maxLines = 1000): AsyncSink => {
    const onError = ({ message }: Error): void => void errors.push(message);
    sink = new AsyncSink(inner, { name: 'slow', maxLines, onError, clock });
    return sink;
  };

  beforeEach(() => {
    clock = fakeClock();
    errors = [];
  });
  afterEach(() => sink.close());

  it('hands events over in later turns, a slice at a time, in order', async () => {
    const seen: LogEvent[] = [];
    wrap({ emit: (taken) => void seen.push(taken) });
    const events = Array.from({ length: 600 }, () => ({ ...event }));
    for (const next of events) sink.emit!(next);
    expect(seen).toEqual([]);
    await turn();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(600);
    await sink.flush();
    expect(seen.every((taken, i) => taken === events[i])).toBe(true);
    expect(seen).toHaveLength(600);
  });

  it('takes a fatal event whatever its bound is, behind what waits', async () => {
    const seen: string[] = [];
    wrap({ write: (line) => void seen.push(line) }, 2);
    for (const line of ['a\n', 'b\n', 'c\n']) sink.write!(line, event);
    sink.write!('fatal\n', { level: Level.Fatal } as LogEvent);
    await sink.flush();
    expect(seen).toEqual(['a\n', 'b\n', 'fatal\n']);
    expect(sink.dropped).toBe(1);
  });

  it('says once per interval how much it dropped', async () => {
    wrap({ write() {} }, 2);
    for (let i = 0; i < 5; i++) sink.write!('x\n', event);
    await clock.advance(4_999);
    expect(errors).toEqual([]);
    await clock.advance(1);
    expect(errors).toEqual([
      'logx: slow dropped 3 lines (3 in total): it cannot write, or not as fast as the application logs',
    ]);
    for (let i = 0; i < 3; i++) sink.write!('x\n', event);
    await clock.advance(5_000);
    expect(errors.slice(1)).toEqual([
      'logx: slow dropped 1 line (4 in total): it cannot write, or not as fast as the application logs',
    ]);
    await clock.advance(60_000);
    expect(errors).toHaveLength(2);
  });

  it('takes what ends the process although no more may wait', async () => {
    const lines: string[] = [];
    wrap({ write: (line) => void lines.push(line) }, 2);
    for (const line of ['a\n', 'b\n', 'c\n']) sink.write!(line, event);
    sink.write!('fatal\n', { ...event, level: Level.Fatal });
    await sink.flush();
    expect(lines).toEqual(['a\n', 'b\n', 'fatal\n']);
    expect(sink.dropped).toBe(1);
  });

  it('says how much it dropped at the latest when it is flushed at once, as at an exit', () => {
    wrap({ write() {}, flushSync() {} }, 2);
    for (let i = 0; i < 5; i++) sink.write!('x\n', event);
    sink.flushSync!();
    expect(errors).toEqual([
      'logx: slow dropped 3 lines (3 in total): it cannot write, or not as fast as the application logs',
    ]);
  });

  it('has the sink flush at once what it keeps itself, and says where that fails', () => {
    const calls: string[] = [];
    wrap({
      write: (line) => void calls.push(line),
      flushSync: () => {
        calls.push('flushSync');
        throw new Error('disk full');
      },
    });
    sink.write!('x\n', event);
    sink.flushSync!();
    expect(calls).toEqual(['x\n', 'flushSync']);
    expect(errors).toEqual(['logx: slow failed: disk full']);
  });

  it('tells of a failing sink and goes on with the next event', async () => {
    const seen: string[] = [];
    wrap({
      write(line) {
        if (line === 'bad\n') throw new Error('indigestible');
        seen.push(line);
      },
    });
    for (const line of ['a\n', 'bad\n', 'b\n']) sink.write!(line, event);
    await sink.flush();
    expect(seen).toEqual(['a\n', 'b\n']);
    expect(errors).toEqual(['logx: slow failed: indigestible']);
  });

  it('closes at its deadline, and says what was left', async () => {
    const seen: string[] = [];
    wrap({ write: (line) => void seen.push(line) });
    for (let i = 0; i < 3; i++) sink.write!('x\n', event);
    const closing = sink.close({ signal: AbortSignal.abort(), remainingMs: () => 0 });
    await expect(closing).rejects.toThrow('logx: slow lost 3 lines that it could not write');
    expect(seen).toEqual([]);
    expect(errors).toEqual([expect.stringContaining('slow dropped 3 lines (3 in total)')]);
    sink.write!('after\n', event);
    expect(sink.dropped).toBe(4);
  });
});
