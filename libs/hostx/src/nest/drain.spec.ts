import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../../tools/testing/program.js';

let app: Program;
let folder: string;
beforeAll(async () => {
  app = await program(new URL('./drain.fixture.ts', import.meta.url));
  folder = mkdtempSync(join(tmpdir(), 'drain-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.remove();
});

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  /** How long after it was to stop, in milliseconds. */
  readonly afterMs: number;
}

/** Runs a command until it says that it is ready, then what `stop` does, until it has ended. */
function run(
  command: readonly [string, ...string[]],
  stop: (child: ReturnType<typeof spawn>) => void,
): Promise<Ended> {
  const { NODE_ENV: _node, NODE_OPTIONS: _options, ...env } = process.env;
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  let out = '';
  let begun = 0;
  return new Promise((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      const wasReady = out.includes('ready\n') || out.includes('ready\r');
      out += data.toString();
      if (wasReady || !/^ready\r?$/m.test(out)) return;
      begun = performance.now();
      stop(child);
    });
    child.on('close', (code, signal) => {
      resolve({ code, signal, out, afterMs: performance.now() - begun });
    });
  });
}

const node = (...args: string[]): [string, ...string[]] => [process.execPath, app.file, ...args];
const bySignal =
  (signal: NodeJS.Signals) =>
  (child: ReturnType<typeof spawn>): void =>
    void child.kill(signal);
const nothing = (): void => {};

const HELD =
  /Host is stopping: .*; it keeps serving for 700 ms, so that load balancers can remove it/;
const SKIPPED = /Host is stopping: .*; without a drain delay: /;

describe.each(['runHost', 'plain', 'plain-hooks', 'core'])('a host under %s', (main) => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'keeps serving after %s of a supervisor',
    async (signal) => {
      const { out, afterMs } = await run(node(main), bySignal(signal));
      expect(afterMs).toBeGreaterThan(690);
      expect(out).toMatch(HELD);
      expect(out).toContain(`Host is stopping: ${signal}; it keeps serving`);
    },
  );
});

it("a SIGQUIT that Nest's shutdown hooks hear is one of a supervisor too", async () => {
  const { out } = await run(node('plain-hooks'), bySignal('SIGQUIT'));
  expect(out).toContain('Host is stopping: SIGQUIT; it keeps serving for 700 ms');
});

describe.each(['runHost', 'plain', 'plain-hooks'])('app.close() under %s', (main) => {
  it('is an orderly stop without a drain delay, and the process ends with 0', async () => {
    const { code, out } = await run(node(main, 'close'), nothing);
    expect(code).toBe(0);
    expect(out).toContain('Host is stopping: app.close(); without a drain delay: app.close()');
    expect(out).toMatch(/worker stopped[^]*destroyed[^]*closed\n/);
    expect(out).not.toContain('Host failed');
  });

  it('keeps serving if the delay is always kept', async () => {
    const { code, out } = await run(node(main, 'close', 'always'), nothing);
    expect(code).toBe(0);
    expect(out).toMatch(HELD);
  });

  it('keeps serving if a listener of the signal calls it', async () => {
    const { out } = await run(node(main, 'close-on-signal'), bySignal('SIGTERM'));
    expect(out).toMatch(/Host is stopping: SIGTERM; it keeps serving for 700 ms/);
    expect(out).toMatch(/worker stopped[^]*destroyed/);
  });
});

// Other systems have another `script`.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a SIGINT from a terminal', () => {
  onLinux.each(['runHost', 'plain', 'plain-hooks', 'core'])('ends %s at once', async (main) => {
    const command = `'${process.execPath}' '${app.file}' ${main}`;
    const { out } = await run(['script', '-qec', command, '/dev/null'], (child) => {
      child.stdin!.write('\x03');
    });
    expect(out).toContain('SIGINT; without a drain delay: SIGINT from a terminal');
  });

  onLinux('does not shorten what a SIGTERM asks for there', async () => {
    const command = `'${process.execPath}' '${app.file}' core & p=$!; read line; kill $p; wait $p`;
    const { out } = await run(['script', '-qec', command, '/dev/null'], (child) => {
      child.stdin!.write('go\n');
    });
    expect(out).toMatch(HELD);
  });
});

/** Restarts a program as the Nest CLI does: first what the shell has started gets SIGTERM, then the shell. */
const CLI = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
const shell = process.argv.includes('--shell');
const [program] = process.argv.slice(-1);
const child = shell
  ? spawn("'" + process.execPath + "' '" + program + "' runHost; true", { shell: true, stdio: 'inherit' })
  : spawn(process.execPath, [program, 'runHost'], { stdio: 'inherit' });
process.on('SIGTERM', () => {
  const children = readFileSync('/proc/' + child.pid + '/task/' + child.pid + '/children', 'utf8');
  for (const pid of children.trim().split(' ').filter(Boolean)) process.kill(Number(pid));
  child.kill();
});
`;

describe('the restart of a watcher', () => {
  onLinux.each([
    ['nest start --watch', ['start', '--watch']],
    ['nest start --watch', ['start', '-w', '--shell']],
  ])('does without the delay: %s %j', async (named, args) => {
    const nest = join(folder, 'nest.mjs');
    writeFileSync(nest, CLI);
    const { out } = await run([process.execPath, nest, ...args, app.file], bySignal('SIGTERM'));
    expect(out).toMatch(SKIPPED);
    expect(out).toContain(`without a drain delay: stopped by ${named}`);
  });

  onLinux('keeps the delay under nest start, which production uses', async () => {
    const nest = join(folder, 'nest.mjs');
    writeFileSync(nest, CLI);
    const { out } = await run([process.execPath, nest, 'start', app.file], bySignal('SIGTERM'));
    expect(out).toMatch(HELD);
  });

  onLinux('does without the delay under node --watch', async () => {
    const command: [string, ...string[]] = [process.execPath, '--watch', app.file, 'runHost'];
    const { out } = await run(command, bySignal('SIGTERM'));
    expect(out).toContain('without a drain delay: stopped by node --watch');
  });
});
