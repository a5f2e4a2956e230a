import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleLogx } from '../bundled-logx.fixture.js';
import { HAS_TERMINALS } from '../../../../tools/testing/terminal.js';
import { configOf } from '../config/load-config.js';
import { chosenFormat } from './auto-format.js';
import { customSink } from './custom-sink.js';
import { fileSink } from './file-sink.js';
import { streamSink } from './stream-sink.js';

describe('the format auto', () => {
  it('is json for what cannot be a terminal', () => {
    const stream = { write: () => true };
    expect([
      chosenFormat('auto'),
      fileSink('a.log', { format: 'auto' }).format,
      customSink({ write() {} }, { format: 'auto' }).format,
      streamSink(stream, { format: 'auto' }).format,
      configOf({ sinks: [{ type: 'file', path: 'a', format: 'auto' }] }).options().sinks![0]!
        .format,
    ]).toEqual(Array(5).fill('json'));
  });

  it('is that of the terminal behind a stream', () => {
    const stream = { write: () => true, isTTY: true };
    expect(streamSink(stream, { format: 'auto' }).format).toBe('console');
    expect(streamSink(stream).format).toBe('json');
  });

  it('leaves every other format as it is', () => {
    expect([chosenFormat('ecs', 1), chosenFormat(undefined, 1)]).toEqual(['ecs', undefined]);
  });
});

const CONSOLE = /^\S+Z \S*INF\S* hello/m;
const JSON_LINE = /^\{"level":"info",.*"message":"hello"\}$/m;

(HAS_TERMINALS ? describe : describe.skip)('at a real terminal', () => {
  let build: string;

  beforeAll(async () => {
    build = fs.mkdtempSync(join(os.tmpdir(), 'logx-auto-'));
    await bundleLogx(join(build, 'logx.mjs'));
  });
  afterAll(() => fs.rmSync(build, { recursive: true, force: true }));

  /** What a program shows at a terminal; `redirect` takes a descriptor away from it. */
  const shown = (options: string, redirect = ''): string => {
    const script = join(build, 'script.mjs');
    fs.writeFileSync(
      script,
      `import * as logx from './logx.mjs';
       logx.createLogger(${options}).information('hello');`,
    );
    const command = `'${process.execPath}' '${script}' ${redirect}`;
    const { stdout } = spawnSync('script', ['--quiet', '--command', command, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    return stdout.replaceAll('\r', '');
  };

  it.each([
    [`{ sinks: [logx.consoleSink({ format: 'auto' })] }`, '', CONSOLE],
    [`{ sinks: [logx.consoleSink({ format: 'auto' })] }`, '| cat', JSON_LINE],
    [`{ sinks: [logx.stdoutSink({ format: 'auto' })] }`, '', CONSOLE],
    [`{ sinks: [logx.stderrSink({ format: 'auto' })] }`, '> /dev/null', CONSOLE],
    [`{ sinks: [logx.stderrSink({ format: 'auto' })] }`, '2>&1 > /dev/null | cat', JSON_LINE],
    [`{ sinks: [logx.consoleSink({ target: 'stderr', format: 'auto' })] }`, '| cat', CONSOLE],
    [`{ sinks: [logx.streamSink(process.stdout, { format: 'auto' })] }`, '', CONSOLE],
    [`{ sinks: [logx.streamSink(process.stdout, { format: 'auto' })] }`, '| cat', JSON_LINE],
    [`{ sinks: [{ type: 'console', format: 'auto' }] }`, '', CONSOLE],
    [`{ sinks: [{ type: 'Console', format: 'auto' }] }`, '| cat', JSON_LINE],
    [`{ sinks: [{ type: 'console', target: 'stderr', format: 'auto' }] }`, '| cat', CONSOLE],
    [`{ sinks: [{ type: 'stderr', format: 'auto' }] }`, '> /dev/null', CONSOLE],
    [`logx.loadConfig('sinks: [{ type: stdout, format: auto }]').options()`, '', CONSOLE],
    [
      `{ sinks: [logx.consoleSink({ format: 'auto', layout: '{level}: {message}' })] }`,
      '',
      /^INF: hello$/m,
    ],
    [`{ sinks: [logx.consoleSink({ format: 'auto', layout: '{message}' })] }`, '| cat', JSON_LINE],
    [
      `{ sinks: [logx.streamSink(process.stdout, { format: 'auto', layout: '{message}' })] }`,
      '| cat',
      JSON_LINE,
    ],
    [`{ sinks: [{ type: 'stdout', format: 'auto', layout: '{message}' }] }`, '| cat', JSON_LINE],
    [`{}`, '', JSON_LINE],
    [`{ sinks: [logx.stdoutSink()] }`, '', JSON_LINE],
    [`{ sinks: [logx.consoleSink()] }`, '| cat', CONSOLE],
  ])('%s %s is written for its reader', (options, redirect, line) => {
    expect(shown(options, redirect)).toMatch(line);
  });
});
