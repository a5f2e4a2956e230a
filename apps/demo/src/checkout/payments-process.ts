import { type Deadline, onAbort } from '@apix/contracts';
import { type Hosted, HostedService, OnReload } from '@apix/hostx';
import { Inject } from '@nestjs/common';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DemoIssuer } from '../identity/demo-issuer.js';
import { setting } from '../settings.js';
import { PAYMENTS_PORT } from './payments-port.js';

/**
 * Runs payments as a process of their own, for as long as the shop runs. When they crash, the host starts them
 * again as it does any service.
 */
// Why: docs/decisions/0277
@HostedService({
  name: 'payments',
  restart: { initialDelay: '500ms', maxDelay: '30s' },
  single: true,
})
export class PaymentsProcess implements Hosted {
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();

  constructor(
    @Inject(PAYMENTS_PORT) private readonly port: number,
    @Inject(DemoIssuer) private readonly issuer: DemoIssuer,
  ) {}

  async start(signal: AbortSignal): Promise<void> {
    const child = (this.#child = this.fork());
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    let isUp = false;
    this.#ready = Promise.race([
      once(child, 'message').then(() => void (isUp = true)),
      ended.then(([code, by]) => Promise.reject(endOf(code, by))),
    ]);
    // start() reports this to the host, where nothing waits for it any more.
    this.#ready.catch(() => {});
    const forget = onAbort(signal, () => hangUp(child, isUp));
    const [code, by] = await ended.finally(forget);
    // SIGHUP is how a host ends whose terminal is gone.
    if (!signal.aborted || (isUp && code !== 0 && by !== 'SIGHUP')) throw endOf(code, by);
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  stop(deadline: Deadline): void {
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    child.once(
      'exit',
      onAbort(deadline.signal, () => child.kill('SIGKILL')),
    );
  }

  /** Its log level may have changed. */
  @OnReload()
  reload(): void {
    if (this.#child?.connected === true) this.#child.send('reload');
  }

  /** For trying out a crash; false if another process of the shop runs payments. */
  crash(): boolean {
    return this.#child?.kill('SIGKILL') ?? false;
  }

  private fork(): ChildProcess {
    const program = setting('PAYMENTS_PROGRAM') ?? new URL('../payments/main.js', import.meta.url);
    return fork(program instanceof URL ? fileURLToPath(program) : program, {
      // A Ctrl-C goes to every process of the terminal's group; the shop is first to hear of a stop, and still
      // has calls under way that need payments.
      detached: process.platform !== 'win32',
      execArgv: process.execArgv.filter((option) => !option.startsWith('--inspect')),
      env: {
        ...process.env,
        PAYMENTS_PORT: String(this.port),
        ISSUER_KEY: this.issuer.publicKey,
        OFFICE_PASSWORD: undefined,
        APP_PROCESSES: undefined,
      },
    });
  }
}

/** Payments hear of it and stop in their own order; while they start there is nothing that could be lost. */
function hangUp(child: ChildProcess, isUp: boolean): void {
  if (!isUp) child.kill();
  else if (child.connected) child.disconnect();
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function endOf(code: number | null, by: NodeJS.Signals | null): Error {
  return new Error(`demo: payments ended with ${by ?? `exit code ${code}`}`);
}
