import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: { readonly value?: unknown } };
  readonly error?: { readonly message: string };
}

/** What a caller of the shop needs to know. */
export interface ShopAddresses {
  readonly http: string;
  readonly grpc: string;
  readonly ada: string;
  readonly grace: string;
  /** `user:password` of the host page. */
  readonly office: string;
}

/** The demo in a process of its own on free ports, whose heap can be read. */
export class ShopProcess {
  #lastId = 0;
  readonly #pending = new Map<number, (answer: Answer) => void>();

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    private readonly inspector: WebSocket,
    readonly addresses: ShopAddresses,
  ) {
    inspector.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer;
      this.#pending.get(answer.id)?.(answer);
      this.#pending.delete(answer.id);
    });
    inspector.on('close', () => {
      const error = { message: 'the shop is gone' };
      for (const [id, settle] of this.#pending) settle({ id, error });
    });
  }

  /** @throws Error with its output when it does not come up. */
  static async start(root: string): Promise<ShopProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'shop-soak-'));
    const config = join(folder, 'logging.yaml');
    const file = `{ type: file, path: '${join(folder, 'shop.jsonl')}', rotation: { maxSizeMB: 10, maxBackups: 2 } }`;
    await writeFile(config, `sinks: [${file}]\n`);
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/apps/demo/src/main.js'], {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PORT: '0',
        GRPC_PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_CONFIG: config,
        OFFICE_PASSWORD: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const output = await untilOpen(child);
      const url = found(output, /listening on (ws:\S+)/);
      const inspector = new WebSocket(url, { perMessageDeflate: false });
      await once(inspector, 'open');
      return new ShopProcess(folder, child, inspector, addressesIn(output));
    } catch (error) {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  /** Collects all garbage, and says in bytes what is left. */
  async memory(): Promise<NodeJS.MemoryUsage> {
    await this.#send('HeapProfiler.collectGarbage');
    const { result } = await this.#send('Runtime.evaluate', {
      expression: 'process.memoryUsage()',
      returnByValue: true,
    });
    return result!.result!.value as NodeJS.MemoryUsage;
  }

  /** Writes a heap snapshot for the memory tab of Chromium's developer tools. */
  async writeSnapshot(path: string): Promise<void> {
    await this.#send('Runtime.evaluate', {
      expression: `process.getBuiltinModule('v8').writeHeapSnapshot(${JSON.stringify(path)})`,
    });
  }

  /** Whether the process still runs. */
  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** As an init system stops it; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.inspector.close();
    if (this.isAlive) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true });
    return this.child.exitCode;
  }

  #send(method: string, params: object = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, (answer) =>
        answer.error === undefined
          ? resolve(answer)
          : reject(new Error(`soak: ${method}: ${answer.error.message}`)),
      );
      this.inspector.send(JSON.stringify({ id, method, params }));
    });
  }
}

/** @throws Error that says what is missing. */
export function addressesIn(output: string): ShopAddresses {
  return {
    http: found(output, /^ *REST +(\S+)/m),
    grpc: found(output, /^ *gRPC +(\S+)/m),
    ada: `Bearer ${found(output, /ADA=(\S+)/)}`,
    grace: `Bearer ${found(output, /GRACE=(\S+)/)}`,
    office: found(output, /^ *host +http:\/\/([^@]+)@/m),
  };
}

function found(output: string, pattern: RegExp): string {
  const text = pattern.exec(output)?.[1];
  if (text === undefined) throw new Error(`soak: the shop did not print ${pattern}:\n${output}`);
  return text;
}

/** What it printed until the host was running; what it prints afterwards is read and dropped. */
function untilOpen(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const onText = (text: string): void => {
      output += text;
      if (!/payments {2}127\S+\n/.test(output) || !/listening on ws:/.test(output)) return;
      for (const stream of [child.stdout!, child.stderr!]) stream.off('data', onText).resume();
      resolve(output);
    };
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', onText);
    }
    child.once('exit', () => reject(new Error(`soak: the shop ended:\n${output}`)));
  });
}
