import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleLogx } from '../bundled-logx.fixture.js';

const source = new URL('../', import.meta.url).pathname;
const root = join(source, '../../..');

const PINO = `import { pino } from '${pathToFileURL(join(root, 'node_modules/pino/pino.js')).href}';`;

describe('fatal', () => {
  let build: string;

  beforeAll(async () => {
    build = fs.mkdtempSync(join(os.tmpdir(), 'logx-fatal-'));
    await bundleLogx(join(build, 'logx.mjs'));
  });
  afterAll(() => fs.rmSync(build, { recursive: true, force: true }));

  const run = (body: string) => {
    const script = join(build, 'script.mjs');
    fs.writeFileSync(script, `import * as logx from './logx.mjs';\n${body}`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return { status, messages: stdout.split('\n').filter(Boolean).map(messageOf) };
  };
  const messageOf = (line: string): unknown => (JSON.parse(line) as { message: string }).message;

  it.each([
    ['fatal', `logx.fromContext().fatal('bye');`],
    ['write', `logx.fromContext().write({ level: 60, text: 'bye', exits: true });`],
  ])('of %s in a job writes the events that were kept of it', (_, call) => {
    const { messages } = run(`
      const log = logx.createLogger({ bufferOnFailure: true });
      logx.workScope(log).run('task', 'sweep', () => {
        logx.fromContext().debug('bad');
        ${call}
      });`);
    expect(messages).toEqual(['bad', 'bye']);
  });

  it.each([
    ['a logger', `logx.createLogger().forContext('A', 1).fatal(new Error('x'), 'bye');`],
    ['the default logger', `logx.fatal(new Error('x'), 'bye');`],
    ['the logger of the context', `logx.fatalCtx(new Error('x'), 'bye');`],
    ['write', `logx.createLogger().write({ level: 60, text: 'bye', exits: true });`],
    [
      'an async sink',
      `logx.createLogger({ sinks: [logx.stdoutSink({ async: 9 })] }).fatal(null, 'bye');`,
    ],
  ])('of %s flushes the sinks, then exits with code 1', (_, call) => {
    const { status, messages } = run(`${call}\nconsole.log('{"message":"not reached"}');`);
    expect({ status, messages }).toEqual({ status: 1, messages: ['bye'] });
  });

  it('exits below the level, too', () => {
    const silent = `{ minLevel: 60 }`;
    const { status, messages } = run(`
      const log = logx.createLogger({ sinks: [logx.stdoutSink(${silent})] });
      log.levels.set('fatal');
      log.error(null, 'not shown');
      log.fatal(null, 'shown');`);
    expect({ status, messages }).toEqual({ status: 1, messages: ['shown'] });
  });

  it.each(['', ', { async: true }'])('waits for a sink that flushes in its own time%s', (async) => {
    const { status, messages } = run(`
      const lines = [];
      const sink = {
        write: (line) => lines.push(line),
        flush: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          process.stdout.write(lines.join(''));
        },
      };
      const log = logx.createLogger({ sinks: [logx.customSink(sink${async})] });
      log.info('before');
      log.fatal(new Error('x'), 'bye');`);
    expect({ status, messages }).toEqual({ status: 1, messages: ['before', 'bye'] });
  });

  const SLOW = `
    class Slow extends Writable {
      constructor(options) { super({ decodeStrings: false, ...options }); }
      _write(line, _encoding, done) {
        setTimeout(() => { process.stdout.write(line); done(); }, 5);
      }
    }`;

  it.each([
    ['a Node stream', 'new Slow()'],
    ['a Node stream that asks to wait', 'new Slow({ highWaterMark: 1 })'],
    ['a multistream of Node streams', 'pino.multistream([{ stream: new Slow() }])'],
  ])('waits for %s', (_, stream) => {
    const { status, messages } = run(`
      import { Writable } from 'node:stream';
      ${PINO}
      ${SLOW}
      const log = logx.createLogger({ sinks: [logx.streamSink(${stream})] });
      log.info('before');
      log.fatal(new Error('x'), 'bye');`);
    expect({ status, messages }).toEqual({ status: 1, messages: ['before', 'bye'] });
  });

  it('does not wait for a Node stream that takes nothing any more beyond five seconds', () => {
    const { status, messages } = run(`
      import { Writable } from 'node:stream';
      const stuck = new Writable({ write() {} });
      const started = performance.now();
      process.on('exit', () => {
        const waited = performance.now() - started > 4_900;
        process.stdout.write(JSON.stringify({ message: String(waited) }));
      });
      logx.createLogger({ sinks: [logx.streamSink(stuck)] }).fatal(null, 'bye');`);
    expect({ status, messages }).toEqual({ status: 1, messages: ['true'] });
  });

  it.each([
    [
      'an async sink',
      `logx.customSink({ write: (line) => process.stdout.write(line) }, { async: 2 })`,
    ],
    ['an async stream', 'logx.streamSink(new Slow({ highWaterMark: 1 }), { async: 2 })'],
  ])('passes the bound of %s, behind what waits', (_, sink) => {
    const { status, messages } = run(`
      import { Writable } from 'node:stream';
      ${SLOW}
      const log = logx.createLogger({ sinks: [${sink}] });
      for (let i = 0; i < 10; i++) log.info('{I}', i);
      log.fatal(new Error('x'), 'bye');`);
    expect(status).toBe(1);
    expect(messages.length).toBeLessThan(11);
    expect(messages.slice(0, 2)).toEqual(['0', '1']);
    expect(messages.slice(-2)).toEqual(['bye', expect.stringMatching(/ dropped \d lines/)]);
  });
});
