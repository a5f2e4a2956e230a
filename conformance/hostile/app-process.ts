import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { GrpcModuleOptions } from '@apix/grpc';
import type { Condition } from './questions.js';

export interface AppSettings {
  /** The file for its events. */
  readonly log: string;
  /** Where its keys are. */
  readonly jwks: string;
  /** The gRPC server that it is a gateway for; empty: it has one of its own. */
  readonly endpoint: string;
  /** Whether its server speaks HTTP/2, without TLS and without HTTP/1. */
  readonly http2?: boolean;
  /** What its gRPC server runs on. */
  readonly stack: NonNullable<GrpcModuleOptions['stack']>;
  /** Where it listens for messages. */
  readonly messages: number;
  /** Lets every call through, which the bed has to notice. */
  readonly open: boolean;
  /** With it, the app asks callers of its gRPC server for certificates, and has nothing else. */
  readonly tls?: {
    readonly cert: string;
    readonly key: string;
    readonly clientCa: string;
  };
}

/** Some heap is enough for whoever is not told to buffer it. */
const HEAP_MB = 512;
/** How long a process may take to start, and to say how it is, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A process under attack. */
export class AppProcess {
  /** What it wrote to stderr, cut after some. */
  complaints = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly ports: { readonly http: number; readonly grpc: number },
  ) {
    child.stderr!.on('data', (data: Buffer) => {
      if (this.complaints.length < 4_000) this.complaints += data.toString();
    });
    child.stdout!.resume();
  }

  static async start(settings: AppSettings): Promise<AppProcess> {
    const app = fileURLToPath(new URL('app.mjs', import.meta.url));
    const child = fork(app, [JSON.stringify(settings)], {
      silent: true,
      execArgv: ['--expose-gc', `--max-old-space-size=${HEAP_MB}`],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    let said = '';
    const keep = (data: Buffer): void => void (said += data.toString());
    child.stderr!.on('data', keep);
    child.stdout!.on('data', keep);
    const ports = await answerOf<AppProcess['ports']>(child).catch((cause: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`the app does not start: ${said.slice(-2_000)}`, { cause });
    });
    child.stderr!.off('data', keep);
    child.stdout!.off('data', keep);
    return new AppProcess(child, ports);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it ended. */
  get end(): string {
    return `${this.child.signalCode ?? `exit code ${this.child.exitCode}`}: ${this.complaints.trim().slice(0, 300)}`;
  }

  /** Collects garbage and says how it is; what is measured since the last time begins again. */
  condition(): Promise<Condition> {
    const answer = answerOf<Condition>(this.child);
    this.child.send('condition');
    return answer;
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
    };
    const onMessage = (message: unknown): void => (settle(), resolve(message as T));
    const onExit = (): void => (settle(), reject(new Error('the process has ended')));
    const onTimeout = (): void => (settle(), reject(new Error('the process does not answer')));
    const timer = setTimeout(onTimeout, PATIENCE_MS);
    child.on('message', onMessage).on('exit', onExit);
  });
}
