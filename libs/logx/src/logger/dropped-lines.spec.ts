import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleLogx } from '../bundled-logx.fixture.js';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { customSink } from '../sinks/custom-sink.js';
import { streamSink } from '../sinks/stream-sink.js';
import { createLogger } from './create-logger.js';

const NOTE = 'logx: {Sink} dropped {Lines} lines';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream that takes a line each time it is asked to. */
function slowStream() {
  const lines: string[] = [];
  let go = (): void => {};
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(line: string, _encoding, done) {
      lines.push(line);
      go = done;
    },
  });
  const drain = async (): Promise<void> => {
    for (let count = -1; count < lines.length;) {
      count = lines.length;
      go();
      await turn();
    }
  };
  return { stream, lines, drain };
}

describe('a sink that dropped lines and goes on', () => {
  it('has one line about it, in its format and at its level', async () => {
    const { stream, lines, drain } = slowStream();
    const sinks = [streamSink(stream, { async: 3, minLevel: 'error', format: 'ecs' })];
    const log = createLogger({ sinks });
    for (let i = 0; i < 10; i++) log.error(null, '{I}', i);
    await drain();
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      '0',
      '1',
      '2',
      '3',
      'logx: stream dropped 6 lines: it could not write, or not as fast as the application logs',
    ]);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      'log.level': 'error',
      Sink: 'stream',
      Lines: 6,
    });
    // Soon after that it drops again: this is said at the end.
    for (let i = 0; i < 6; i++) log.error(null, '{I}', i);
    await drain();
    expect(lines.filter((line) => line.includes(NOTE))).toHaveLength(1);
    const closed = log.close();
    await drain();
    await closed;
    expect(lines.at(-1)).toContain('"Lines":2');
  });

  it('takes it as an event, if it takes events', async () => {
    const events: LogEvent[] = [];
    const emit = (event: LogEvent): unknown => events.push(event);
    const log = createLogger({ sinks: [customSink({ emit }, { async: 2, kind: 'mine' })] });
    for (let i = 0; i < 5; i++) log.info('{I}', i);
    await log.flush();
    await turn();
    expect(events.map(({ level, message }) => [level, message.slice(0, 26)])).toEqual([
      [Level.Information, '0'],
      [Level.Information, '1'],
      [Level.Warning, 'logx: mine dropped 3 lines'],
    ]);
    await log.close();
    expect(events).toHaveLength(3);
  });

  it('has none if nothing was dropped, or the error handler is called', async () => {
    const lines: string[] = [];
    const errors: string[] = [];
    const write = (line: string): unknown => lines.push(line);
    const log = createLogger({ sinks: [customSink({ write }, { async: 5 })] });
    const told = createLogger({
      sinks: [customSink({ write }, { async: 2 })],
      errorHandler: ({ message }) => void errors.push(message),
    });
    for (let i = 0; i < 5; i++) log.info('{I}', i);
    for (let i = 0; i < 3; i++) told.info('{I}', i);
    await Promise.all([log.close(), told.close()]);
    expect(lines).toHaveLength(7);
    expect(lines.join('')).not.toContain('dropped');
    expect(errors).toEqual([expect.stringContaining('custom dropped 1 line (1 in total)')]);
  });
});

describe('standard output that is a slow pipe', () => {
  let build: string;

  beforeAll(async () => {
    build = fs.mkdtempSync(join(os.tmpdir(), 'logx-drops-'));
    await bundleLogx(join(build, 'logx.mjs'));
  });
  afterAll(() => fs.rmSync(build, { recursive: true, force: true }));

  it.each([
    ['an async sink', '{ async: 40 }', 4_000],
    ['a sink that blocks for a second first', '{}', 12_000],
  ])(
    'gets one line with the count: %s',
    (_what, options, count) => {
      const script = join(build, 'script.mjs');
      const logged = join(build, `logged-${count}`);
      fs.writeFileSync(
        script,
        `import fs from 'node:fs';
       import { createLogger, stdoutSink } from './logx.mjs';
       const logs = [1, 2].map(() => createLogger({ sinks: [stdoutSink(${options})] }));
       const text = 'x'.repeat(1_000);
       for (let i = 0; i < ${count}; i++) {
         logs[i % 2].info('{I} ' + text, i);
         if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
       }
       fs.writeFileSync('${logged}', '');`,
      );
      // The reader begins when everything is logged.
      const reader = `(until [ -e ${logged} ]; do sleep 0.05; done; cat)`;
      const text = execFileSync('bash', ['-c', `${process.execPath} ${script} | ${reader}`], {
        encoding: 'utf8',
        maxBuffer: 1e9,
      });
      const events = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const notes = events.filter((event) => String(event['@mt']).startsWith(NOTE));
      expect(notes).toEqual([expect.objectContaining({ level: 'warn', Sink: 'stdout' })]);
      expect(Number(notes[0]!['Lines']) + events.length - 1).toBe(count);
    },
    60_000,
  );
});
