import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import { destination, multistream, transport } from 'pino';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { MAX_WAITING_BYTES } from './limits.js';
import type { PinoStream } from './pino-stream.js';
import type { Sink } from './sink.js';
import { streamSink, type StreamSinkOptions } from './stream-sink.js';

const event = { level: Level.Information } as LogEvent;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('streamSink', () => {
  let directory: string;
  let path: string;
  let errors: Error[];
  let opened: Sink[];

  beforeEach(() => {
    directory = fs.mkdtempSync(join(os.tmpdir(), 'logx-stream-'));
    path = join(directory, 'app.log');
    errors = [];
    opened = [];
  });
  afterEach(async () => {
    const deadline = deadlineAfter(0);
    for (const sink of opened) await sink.close?.(deadline);
    deadline.dispose();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  const open = (stream: PinoStream, options?: StreamSinkOptions): Sink => {
    const sink = streamSink(stream, options).open({ onError: (error) => errors.push(error) });
    opened.push(sink);
    return sink;
  };
  const text = async (stream: PassThrough): Promise<string> => {
    let all = '';
    for await (const part of stream) all += String(part);
    return all;
  };

  it('writes lines to any writable and leaves it open', async () => {
    const stream = new PassThrough();
    const sink = open(stream);
    sink.write!('one\n', event);
    sink.write!('two\n', event);
    await sink.close!();
    expect(stream.writableEnded).toBe(false);
    stream.end();
    expect(await text(stream)).toBe('one\ntwo\n');
  });

  it('ends the stream when it was told so', async () => {
    const stream = new PassThrough();
    const sink = open(stream, { end: true });
    sink.write!('one\n', event);
    await sink.close!();
    expect(await text(stream)).toBe('one\n');
  });

  it('waits for drain, in order and without loss', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const sink = open(stream);
    let expected = '';
    for (let i = 0; i < 100; i++) {
      sink.write!(`line ${i}\n`, event);
      expected += `line ${i}\n`;
    }
    expect(stream.writableLength).toBeLessThan(30);
    const all = text(stream);
    await sink.flush!();
    stream.end();
    expect(await all).toBe(expected);
  });

  it('flush resolves when the lines that waited are written, too', async () => {
    const written: string[] = [];
    const stream = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        setImmediate(done);
      },
    });
    const sink = open(stream);
    for (let i = 0; i < 10; i++) sink.write!(`${i}\n`, event);
    await sink.flush!();
    expect(written.join('')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
  });

  it.each<[string, StreamSinkOptions, number, string]>([
    ['8 MiB', {}, MAX_WAITING_BYTES / 1024, 'x'.repeat(1023)],
    ['its number of lines when it is async', { async: 5 }, 5, 'x'],
  ])('bounds what waits for a stream that stands still: %s', async (_what, options, room, line) => {
    const stream = new Writable({ highWaterMark: 1, write() {} });
    const sink = open(stream, options);
    for (let i = 0; i < room + 8; i++) sink.write!(`${line}\n`, event);
    expect(errors).toEqual([]);
    const deadline = deadlineAfter(1);
    await expect(sink.close!(deadline)).rejects.toThrow(
      `logx: stream lost ${room} lines that it could not write before it was closed`,
    );
    expect(errors.map((error) => error.message)).toEqual([
      expect.stringContaining(`stream dropped ${room + 7} lines (${room + 7} in total)`),
    ]);
    stream.destroy();
  });

  it('tells of errors of the stream, and counts what comes after its end', async () => {
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        done(new Error('cable cut'));
      },
    });
    const sink = open(stream, { kind: 'cable' });
    sink.write!('one\n', event);
    await turn();
    sink.write!('two\n', event);
    expect(errors.map((error) => error.message)).toEqual(['logx: cable failed: cable cut']);
    await sink.close!();
    expect(errors.at(-1)!.message).toMatch(/^logx: cable dropped 1 line /);
  });

  it('takes an object that can only write', async () => {
    const lines: string[] = [];
    const sink = open({ write: (line) => lines.push(line) });
    sink.write!('one\n', event);
    sink.flushSync!();
    await sink.flush!();
    expect(lines).toEqual(['one\n']);
  });

  it('flushes a pino destination, also synchronously', async () => {
    const stream = destination({ dest: path, sync: false, minLength: 4096 });
    await once(stream, 'ready');
    const sink = open(stream);
    sink.write!('one\n', event);
    expect(fs.readFileSync(path, 'utf8')).toBe('');
    sink.flushSync!();
    expect(fs.readFileSync(path, 'utf8')).toBe('one\n');
    sink.write!('two\n', event);
    await sink.flush!();
    expect(fs.readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('tells a pino multistream the level of each line', () => {
    const all: string[] = [];
    const bad: string[] = [];
    const sink = open(
      multistream([
        { level: 'info', stream: { write: (line: string) => void all.push(line) } },
        { level: 'error', stream: { write: (line: string) => void bad.push(line) } },
      ]),
    );
    sink.write!('good\n', event);
    sink.write!('bad\n', { ...event, level: Level.Error });
    expect([all, bad]).toEqual([['good\n', 'bad\n'], ['bad\n']]);
  });

  it('feeds a pino transport in its thread', async () => {
    const stream = transport({ target: 'pino/file', options: { destination: path } });
    const sink = open(stream, { end: true });
    for (let i = 0; i < 1000; i++) sink.write!(`line ${i}\n`, event);
    await sink.close!();
    await once(stream, 'close');
    expect(fs.readFileSync(path, 'utf8').split('\n')).toHaveLength(1001);
    expect(errors).toEqual([]);
  });
});
