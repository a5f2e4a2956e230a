import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleScript } from '../../../../tools/testing/bundle-script.js';
import { HAS_TERMINALS, atTerminal } from '../../../../tools/testing/terminal.js';

interface Ended {
  /** Where the child ran, and its sinks wrote. */
  readonly directory: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const source = new URL('./', import.meta.url).pathname;
const root = join(source, '../../../..');

describe('at the end of a process', () => {
  let build: string;

  beforeAll(async () => {
    build = fs.mkdtempSync(join(os.tmpdir(), 'logx-exit-'));
    const entry = join(build, 'entry.ts');
    fs.writeFileSync(
      entry,
      ['standard-sinks', 'file-sink', 'custom-sink', 'stream-sink']
        .map((file) => `export * from '${join(source, file)}.js';\n`)
        .join(''),
    );
    await bundleScript({ entryPoints: [entry] }, join(build, 'logx.mjs'));
  });
  afterAll(() => fs.rmSync(build, { recursive: true, force: true }));

  /** A child process that logs; `log(n)` writes n numbered lines of 100 bytes to `sink`. */
  const start = (sink: string, body: string, command?: (script: string) => string[]) => {
    const directory = fs.mkdtempSync(join(build, 'case-'));
    const script = join(directory, 'script.mjs');
    fs.writeFileSync(
      script,
      `import { consoleSink, customSink, fileSink, stderrSink, stdoutSink, streamSink } from '${build}/logx.mjs';
       const errors = [];
       const sink = (${sink}).open({ onError: (error) => errors.push(error.message) });
       let count = 0;
       const log = (n) => { for (let i = 0; i < n; i++) sink.write(String(count++).padEnd(99, '.') + '\\n', {}); };
       ${body}`,
    );
    const [file, ...args] = command?.(script) ?? [process.execPath, script];
    const child = spawn(file!, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    const read = (): void => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => resolve({ directory, code, signal, stdout, stderr }));
    });
    const said = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (stderr.includes(text)) resolve();
          else child.stderr.once('data', look);
        };
        look();
      });
    return { child, read, ended, said };
  };
  const run = (sink: string, body: string, command?: (script: string) => string[]) => {
    const { read, ended } = start(sink, body, command);
    read();
    return ended;
  };
  const numbered = (count: number): string =>
    Array.from({ length: count }, (_, i) => `${String(i).padEnd(99, '.')}\n`).join('');
  /** What the sink wrote: to standard output, or to files in the order of their names. */
  const output = ({ directory, stdout }: Ended): string =>
    fs
      .readdirSync(directory)
      .filter((file) => file.startsWith('app'))
      .toSorted((a, b) => Number(a === 'app.log') - Number(b === 'app.log') || (a < b ? -1 : 1))
      .map((file) => fs.readFileSync(join(directory, file), 'utf8'))
      .join('') + stdout;

  const SINKS = [
    'stdoutSink()',
    'stdoutSink({ async: 1e6 })',
    `fileSink('app.log')`,
    `fileSink('app.log', { async: 1e6 })`,
    'stdoutSink({ gather: 1000 })',
    `fileSink('app.log', { gather: 1000 })`,
    `fileSink('app.log', { gather: 1000, async: 1e6 })`,
    `fileSink('app.log', { rotation: { maxSizeMB: 0.01 } })`,
    `fileSink('app.log', { rotation: { maxSizeMB: 0.01 }, async: 1e6 })`,
    `customSink({ write: (line) => fs.appendFileSync('app.log', line) }, { async: 1e6 })`,
    `streamSink(new SonicBoom({ dest: 'app.log', sync: true, minLength: 4096 }))`,
  ];
  const imports = `import fs from 'node:fs'; import SonicBoom from '${root}/node_modules/sonic-boom/index.js';`;
  const WAYS: readonly (readonly [string, string, number | null])[] = [
    ['natural exit', 'log(3000);', 0],
    ['natural exit, later turns', 'log(1000); setTimeout(() => log(2000), 5);', 0],
    ['process.exit', 'log(1000); setTimeout(() => { log(2000); process.exit(3); }, 5);', 3],
    [
      'an uncaught exception',
      'log(1000); setTimeout(() => { log(2000); throw Error("x"); }, 1);',
      1,
    ],
    ['an unhandled rejection', 'log(1000); log(2000); void Promise.reject(Error("x"));', 1],
    [
      'SIGTERM with an exit handler',
      `process.on('SIGTERM', () => { log(1000); process.exit(0); });
       log(1000); setInterval(() => {}, 1000);
       setTimeout(() => { log(1000); process.kill(process.pid, 'SIGTERM'); }, 5);`,
      0,
    ],
    ['lines logged by exit handlers', `process.on('exit', () => log(1000)); log(2000);`, 0],
    ['flushSync before exit', 'log(3000); sink.flushSync(); process.reallyExit(1);', 1],
  ];

  it.each(SINKS)(
    '%s loses and tears nothing, in whatever way the process ends',
    async (sink) => {
      const ends = await Promise.all(
        WAYS.map(async ([way, body, code]) => {
          const ended = await run(sink, `${imports} ${body}`);
          return { way, code: ended.code, expected: code, whole: output(ended) === numbered(3000) };
        }),
      );
      expect(ends.filter(({ code, expected, whole }) => code !== expected || !whole)).toEqual([]);
    },
    60_000,
  );

  it('a process that is killed loses what it gathers, and nothing before it', async () => {
    const ended = await run(
      `fileSink('app.log', { gather: 10 })`,
      `log(10);
       setTimeout(() => {
         log(5);
         setImmediate(() => process.kill(process.pid, 'SIGKILL'));
       }, 100);`,
    );
    expect([ended.signal, output(ended)]).toEqual(['SIGKILL', numbered(10)]);
  });

  /** The child's standard output is a pipe, which is not read before `read` is called. */
  const startOnPipe = (sink: string, body: string) => {
    const fifo = join(fs.mkdtempSync(join(build, 'pipe-')), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const started = start(sink, body, (script) => [
      'bash',
      '-c',
      `exec ${process.execPath} ${script} > ${fifo}`,
    ]);
    const reader = fs.createReadStream(fifo, { encoding: 'utf8', highWaterMark: 5_000 });
    const read = async (): Promise<string> => {
      let text = '';
      for await (const part of reader) text += String(part);
      return text;
    };
    return { ...started, reader, read };
  };

  it('a reader that is slow gets everything before the process ends', async () => {
    const { read, said } = startOnPipe('stdoutSink()', 'log(50_000); console.error("logged");');
    await said('logged');
    expect((await read()) === numbered(50_000)).toBe(true);
  });

  it('process.exit waits for a reader that is slow', async () => {
    const { read, said } = startOnPipe(
      'stdoutSink()',
      'log(50_000); console.error("logged"); process.exit(0);',
    );
    await said('logged');
    expect((await read()) === numbered(50_000)).toBe(true);
  });

  it.each(['stdoutSink()', 'stdoutSink({ async: true })'])(
    'a reader that stands still does not stop the process: %s',
    async (sink) => {
      const { child, ended, reader, said } = startOnPipe(
        sink,
        `const timer = setInterval(() => {
           log(1000);
           if (errors.some((error) => error.includes('dropped'))) console.error(errors.join());
         }, 1);`,
      );
      await said('dropped');
      child.kill('SIGKILL');
      reader.destroy();
      expect((await ended).stderr).toMatch(/stdout dropped \d+ lines/);
    },
    30_000,
  );

  it('a reader that goes away is reported, and the process goes on', async () => {
    const { child, ended, said } = start(
      'stdoutSink()',
      `console.error('ready');
       const timer = setInterval(() => {
         log(10);
         if (errors.length > 0) { console.error(errors.join()); clearInterval(timer); }
       }, 1);`,
    );
    await said('ready');
    child.stdout.destroy();
    const { code, stderr } = await ended;
    expect(stderr).toContain('logx: cannot write to stdout: EPIPE');
    expect(code).toBe(0);
  });

  (HAS_TERMINALS ? it : it.skip)(
    'a terminal that is gone does not hold up flush and close, which count what is lost',
    async () => {
      const file = join(fs.mkdtempSync(join(build, 'case-')), 'script.mjs');
      fs.writeFileSync(
        file,
        `import fs from 'node:fs';
         import { stdoutSink } from '${build}/logx.mjs';
         const errors = [];
         const sink = stdoutSink().open({ onError: (error) => errors.push(error.message) });
         const hold = setInterval(() => {}, 1000);
         process.on('SIGHUP', async () => {
           sink.write('one\\n', {});
           await sink.flush();
           sink.write('two\\n', {});
           const closed = await sink.close().catch((error) => error.message);
           fs.writeSync(3, [...errors, closed].join('\\n'));
           process.removeAllListeners('SIGHUP');
           process.kill(process.pid, 'SIGHUP');
         });
         sink.write('ready\\n', {});`,
      );
      const terminal = atTerminal(file);
      await terminal.shows('ready');
      terminal.close();
      const { told } = await terminal.ended;
      expect(told.split('\n')).toEqual([
        'logx: cannot write to stdout: EIO: i/o error, write; lines wait in memory',
        'logx: stdout dropped 2 lines (2 in total): it cannot write, or not as fast as the application logs',
        'logx: stdout lost 2 lines that it could not write before it was closed: EIO: i/o error, write',
      ]);
    },
    // Less than a flush waits for an outlet that may come back.
    8_000,
  );

  it('a file that reached the limit of the process goes on in a new one, no line torn', async () => {
    const ended = await run(
      `fileSink('app.log')`,
      `${imports}
       const timer = setInterval(() => {
         log(7);
         if (count === 700) { clearInterval(timer); setTimeout(() => {}, 2500); }
         if (errors.length === 1) {
           fs.renameSync('app.log', 'app-1.log');
           process.stderr.write(errors.shift());
         }
       }, 1);`,
      (script) => ['bash', '-c', `ulimit -f 8; exec ${process.execPath} ${script}`],
    );
    expect(ended.stderr).toContain('EFBIG');
    const [first, second] = ['app-1.log', 'app.log'].map((file) =>
      fs.readFileSync(join(ended.directory, file), 'utf8'),
    );
    const whole = first!.slice(0, first!.lastIndexOf('\n') + 1);
    expect(first!.length).toBeGreaterThan(8_000);
    expect(whole + second!).toBe(numbered(700).slice(0, (whole + second!).length));
    expect(second!.startsWith(whole.length / 100 + '.')).toBe(true);
  });

  it('what a full disk did not take is counted before the end', async () => {
    const { stderr, code } = await run(
      `fileSink('/dev/full')`,
      `process.on('exit', () => console.error(errors.join('\\n')));
       log(1000);`,
    );
    expect(stderr).toContain('logx: cannot write to file /dev/full: ENOSPC');
    expect(stderr).toContain('logx: file /dev/full dropped 1000 lines (1000 in total)');
    expect(code).toBe(0);
  });

  it('many sinks of standard output never put one line inside another', async () => {
    const { read, said } = startOnPipe(
      'stdoutSink()',
      `const other = stdoutSink().open({ onError() {} });
       for (let i = 0; i < 20_000; i++) { log(1); other.write('o'.repeat(199) + '\\n', {}); }
       console.error('logged');`,
    );
    await said('logged');
    const lines = (await read()).split('\n');
    expect(lines.filter((line) => /^o{199}$/.test(line))).toHaveLength(20_000);
    expect(lines.filter((line) => /^\d+\.+$/.test(line) && line.length === 99)).toHaveLength(
      20_000,
    );
  });

  it('closing one sink of standard output leaves the others open', async () => {
    const { stdout } = await run(
      'stdoutSink()',
      `const other = stdoutSink().open({ onError() {} });
       log(1);
       await other.close();
       log(1);
       await sink.close();
       const later = stdoutSink().open({ onError() {} });
       later.write('later\\n', {});`,
    );
    expect(stdout).toBe(`${numbered(2)}later\n`);
  });
});
