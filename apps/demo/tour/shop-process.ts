import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StartOptions {
  /** Further environment variables. Default: none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Arguments of the command line. Default: none. */
  readonly args?: readonly string[];
  /** Whether it has a process group of its own, as a shell makes one for what it starts. Default: false. */
  readonly ownGroup?: boolean;
  /** Whether it has a terminal, made by `script` of util-linux. Default: false. */
  readonly terminal?: boolean;
  /** What it says when it is up. Default: the last of its addresses. */
  readonly until?: RegExp;
}

/** The shop in a process of its own, with a database of its own, on free ports. */
export class ShopProcess {
  #output = '';
  readonly #watchers = new Set<() => void>();

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    readonly ended: Promise<unknown>,
  ) {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (data: Buffer) => {
        this.#output += data.toString().replaceAll('\r\n', '\n');
        for (const look of this.#watchers) look();
      });
    }
  }

  static async start(
    root: string,
    {
      settings = {},
      args = [],
      ownGroup = false,
      terminal = false,
      until = /payments {2}127\S+\n/,
    }: StartOptions = {},
  ): Promise<ShopProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'shop-tour-'));
    const config = join(folder, 'logging.yaml');
    await writeFile(config, loggingAt('information', folder));
    // The demo's own are JSON where nobody looks.
    const payments = join(folder, 'payments-logging.yaml');
    await writeFile(payments, PAYMENTS_LOGGING);
    const command = [process.execPath, 'dist/apps/demo/src/main.js', ...args] as const;
    const [program, ...programArgs] = terminal
      ? (['script', '-qefc', command.join(' '), '/dev/null'] as const)
      : command;
    const child = spawn(program, programArgs, {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        GRPC_PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_CONFIG: config,
        PAYMENTS_LOG_CONFIG: payments,
        // Made at the start, and so printed.
        OFFICE_PASSWORD: '',
        ...settings,
      },
      detached: ownGroup,
      stdio: [terminal ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    const shop = new ShopProcess(folder, child, once(child, 'close'));
    await shop.said(until);
    return shop;
  }

  /** What it printed, from the first character that matters: where the last look ended. */
  get output(): string {
    return this.#output;
  }

  /** The first match in what it prints, after `from`; rejects when it ends without. */
  said(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.#output.slice(from));
        if (match === null) return;
        this.#watchers.delete(look);
        resolve(match);
      };
      this.#watchers.add(look);
      void this.ended.then(() =>
        reject(new Error(`the shop ended without saying ${pattern}:\n${this.#output}`)),
      );
      look();
    });
  }

  /** Writes another level into the log's configuration, and has it read. */
  async setLevel(level: string): Promise<void> {
    await writeFile(join(this.folder, 'logging.yaml'), loggingAt(level, this.folder));
    this.child.kill('SIGHUP');
  }

  /** Has all of its processes replaced, one after the other. */
  replaceProcesses(): void {
    this.child.kill('SIGUSR2');
  }

  /** As an init system stops it; resolves with the exit code. */
  stop(): Promise<number | null> {
    return this.end(() => this.child.kill('SIGTERM'));
  }

  /** As a terminal does: every process of its own group hears it. */
  interrupt(): Promise<number | null> {
    return this.end(() => process.kill(-this.child.pid!, 'SIGINT'));
  }

  /** Ctrl-C at its terminal. */
  pressCtrlC(): Promise<number | null> {
    return this.end(() => this.child.stdin!.write('\x03'));
  }

  /** Without a word; with a terminal, that goes. Resolves when nothing that it has started writes to its output any more. */
  crash(): Promise<number | null> {
    return this.end(() => this.child.kill('SIGKILL'));
  }

  private async end(tell: () => void): Promise<number | null> {
    tell();
    await this.ended;
    return this.child.exitCode;
  }

  async remove(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

const PAYMENTS_LOGGING = `
timeFormat: TimeRFC3339Ms
fields: { service: payments }
sinks: [{ type: console }]
`;

function loggingAt(level: string, folder: string): string {
  return [
    `level: ${level}`,
    'sinks:',
    '  - type: console',
    `  - type: file`,
    `    path: ${join(folder, 'shop.jsonl')}`,
    '',
  ].join('\n');
}
