import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Profiler, Runtime } from 'node:inspector';
import { WebSocket } from 'ws';

/** How often each function of each script ran since the last look. */
export type Coverage = readonly Profiler.ScriptCoverage[];

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A Node process whose calls are counted by V8 from its first line on. */
export class DebuggedProcess {
  #output = '';
  #lastId = 0;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  readonly #watchers = new Set<() => void>();
  /** Resolves when the process has run its exit handlers and waits to be let go. */
  readonly #atExit: Promise<void>;
  #announceExit = (): void => {};
  /** Resolves when the process waits to be told to run: told so before, it would wait without end. */
  readonly #atStart: Promise<void>;
  #announceStart = (): void => {};

  private constructor(
    private readonly child: ChildProcess,
    private readonly socket: WebSocket,
  ) {
    this.#atExit = new Promise((resolve) => (this.#announceExit = resolve));
    this.#atStart = new Promise((resolve) => (this.#announceStart = resolve));
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      for (const look of this.#watchers) look();
    });
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Answer));
    const giveUp = (): void => this.#end();
    socket.on('close', giveUp).on('error', giveUp);
  }

  /** @throws Error when Node cannot be started with these arguments. */
  static async start(
    args: readonly string[],
    options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<DebuggedProcess> {
    const child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', ...args], {
      cwd: options.cwd,
      env: { ...process.env, NODE_OPTIONS: '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const socket = new WebSocket(await inspectorOf(child), { perMessageDeflate: false });
    await once(socket, 'open');
    const started = new DebuggedProcess(child, socket);
    await started.#send('NodeRuntime.enable');
    await started.#send('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true });
    await started.#send('Profiler.enable');
    await started.#send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await started.#atStart;
    await started.#send('Runtime.runIfWaitingForDebugger');
    return started;
  }

  /** What ran since the last call of this method, or since the start; counts begin at 0 again. */
  async take(): Promise<Coverage> {
    const { result } = (await this.#send(
      'Profiler.takePreciseCoverage',
    )) as Profiler.TakePreciseCoverageReturnType;
    return result;
  }

  /** Runs an expression in the process and waits for its promise. @throws Error when it fails. */
  async evaluate(expression: string): Promise<void> {
    const { exceptionDetails } = (await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
    })) as Runtime.EvaluateReturnType;
    if (exceptionDetails !== undefined) {
      const { text, exception } = exceptionDetails;
      throw new Error(`footprint: ${expression}: ${exception?.description ?? text}`);
    }
  }

  /** The first match in what it prints to stdout. @throws Error when it ends without. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.#output);
        if (match === null) return;
        this.#watchers.delete(look);
        resolve(match);
      };
      this.#watchers.add(look);
      void this.#atExit.then(() =>
        reject(new Error(`footprint: the process ended without ${pattern}:\n${this.#output}`)),
      );
      look();
    });
  }

  /** Sends a signal and waits for the end; what ran until then, exit handlers included. */
  async runToExit(signal: NodeJS.Signals): Promise<Coverage> {
    this.child.kill(signal);
    await this.#atExit;
    const coverage = await this.take();
    this.socket.close();
    await this.#gone();
    return coverage;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#gone();
  }

  async #gone(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      await once(this.child, 'exit');
    }
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, ({ result, error }) =>
        error === undefined
          ? resolve(result)
          : reject(new Error(`footprint: ${method}: ${error.message}`)),
      );
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive(answer: Answer): void {
    if (answer.method === 'NodeRuntime.waitingForDebugger') this.#announceStart();
    if (answer.method === 'NodeRuntime.waitingForDisconnect') this.#announceExit();
    if (answer.id === undefined) return;
    this.#pending.get(answer.id)?.(answer);
    this.#pending.delete(answer.id);
  }

  #end(): void {
    this.#announceStart();
    this.#announceExit();
    const error = { message: 'the process is gone' };
    for (const settle of this.#pending.values()) settle({ error });
    this.#pending.clear();
  }
}

/** The address on which the inspector of a process that was just started listens. */
function inspectorOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      const [, address] = /listening on (ws:\S+)/.exec(errors) ?? [];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`footprint: the process did not start: ${errors}`)));
  });
}
