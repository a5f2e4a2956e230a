import type { Server as HttpServer } from 'node:http';
import { type Clock, type Deadline, deadlineAfter, onAbort } from '@apix/contracts';
import { linkAbort, thrownError } from '@apix/contracts/internal';
import { type DrainBegin, DrainDelay } from '../drain-delay.js';
import { HostError, joinErrors } from '../errors.js';
import { outcomeOf } from '../outcome.js';
import { GOING_AWAY, SERVICE_RESTART } from './connection.js';
import type { Connections } from './connections.js';
import type { ResolvedHttpOptions } from './http-options.js';

/** How long an accepted connection may stay silent once no more are accepted, in milliseconds. */
const SILENT_MS = 500;

/** How often to look for connections that have become idle, in milliseconds. */
const POLL_MS = 100;

/** How long clients may take to answer a close frame, where nothing else is set, in milliseconds. */
const DEFAULT_CLOSE_GRACE_MS = 1_000;

/**
 * In a restart, WebSockets are closed in so many batches, this many milliseconds apart, so that not all clients
 * connect again at the same moment; but not fewer at a time than this.
 */
const BATCHES = 10;
const BATCH_MS = 100;
const LEAST_BATCH = 20;

/** How many requests a timeout's message names. */
const MAX_NAMED = 5;

/** The stop of one HTTP server without losing a request. */
export class Drain {
  readonly #server: HttpServer;
  readonly #connections: Connections;
  readonly #options: ResolvedHttpOptions['drain'];
  readonly #beforeFarewell: (deadline: Deadline) => Promise<void>;
  readonly #clock: Clock;
  readonly #who: string;
  readonly #delay: DrainDelay;
  #closeGraceMs: number;
  #hasEnded = false;

  constructor(
    server: HttpServer,
    connections: Connections,
    { drain, clock, name, beforeFarewell }: ResolvedHttpOptions,
    /** Whether another process has taken the place of this one. */
    private readonly isReplaced: () => boolean = () => false,
  ) {
    this.#server = server;
    this.#connections = connections;
    this.#options = drain;
    this.#beforeFarewell = beforeFarewell ?? (() => Promise.resolve());
    this.#clock = clock;
    this.#who = name;
    this.#closeGraceMs = drain.closeGrace ?? DEFAULT_CLOSE_GRACE_MS;
    this.#delay = new DrainDelay(drain.delay, clock, drain.always);
  }

  get hasBegun(): boolean {
    return this.#delay.hasBegun;
  }

  /**
   * Asks clients to use another connection, and continues to serve.
   *
   * @returns for how long, in milliseconds
   */
  begin(how?: DrainBegin): number {
    if (!this.#delay.hasBegun) {
      this.#connections.refuseRequests();
      this.#closeGraceMs = this.#options.closeGrace ?? how?.given?.closeGrace ?? this.#closeGraceMs;
    }
    return this.#delay.begin(how);
  }

  /**
   * The whole recipe. Resolves once the last connection has closed.
   *
   * @throws HostError where the time is up first; every connection is destroyed then.
   */
  async run(deadline: Deadline): Promise<void> {
    this.begin();
    const begun = this.#clock.now();
    const limit = deadlineAfter(this.#options.timeout, this.#clock);
    const over = linkAbort(deadline.signal, limit.signal);
    try {
      const remainingMs = (): number => Math.min(deadline.remainingMs(), limit.remainingMs());
      const left: Deadline = { signal: over.signal, remainingMs };
      await this.#delay.pass(left);
      await allRead();
      // Why: docs/decisions/0230
      const answered = outcomeOf(() => this.#beforeFarewell(left));
      const isEmpty = await this.#empty(over.signal, answered);
      const failures: Error[] = isEmpty ? [] : [this.#timedOut(this.#clock.now() - begun)];
      const outcome = await answered;
      if (!outcome.ok) failures.push(thrownError(outcome.error));
      const error = joinErrors(failures);
      if (error !== null) throw error;
    } finally {
      over.dispose();
      limit.dispose();
      this.end();
    }
  }

  /** Closes everything at once, if that has not happened yet. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopAccepting();
    this.#connections.destroyAll();
    // Ends the timer with which Node enforces its timeouts; the listener is closed already.
    this.#server.close();
  }

  /**
   * Closes the listener alone: `http.Server.close` would also destroy connections whose
   * response is complete but not yet sent.
   */
  #stopAccepting(): void {
    // Why: docs/decisions/0055
    if (!this.#server.listening) return;
    process.getBuiltinModule('node:net').Server.prototype.close.call(this.#server);
  }

  /**
   * Stops accepting connections. Resolves with true once no connection is left, with false when the time is
   * up. Upgraded connections are closed when `answered` resolves.
   */
  #empty(over: AbortSignal, answered: Promise<unknown>): Promise<boolean> {
    const connections = this.#connections;
    let isOver = false;
    let mayGo = 0;
    let code = GOING_AWAY;
    const stops: (() => void)[] = [];
    let onClose = (): void => {};
    return new Promise<boolean>((resolve) => {
      const look = (): void => {
        connections.askToClose(mayGo, code);
        connections.closeIdle();
      };
      // Other code may have closed the server meanwhile; it does not report that again.
      if (!this.#server.listening && connections.size === 0) return resolve(true);
      onClose = () => resolve(true);
      this.#server.once('close', onClose);
      this.#stopAccepting();
      stops.push(onAbort(over, () => resolve(false)));
      if (over.aborted) return;
      // Thousands of connections that close at once are looked at once.
      const soon = onceSoon(look);
      const silent = onceSoon(() => connections.destroySilent());
      stops.push(
        soon.cancel,
        silent.cancel,
        every(this.#clock, POLL_MS, soon.call),
        every(this.#clock, SILENT_MS, silent.call),
        every(this.#clock, this.#closeGraceMs, () => connections.destroyUnanswered()),
      );
      connections.onChange(soon.call);
      look();
      const letUpgradedGo = (): void => {
        if (isOver) return;
        const batch = this.isReplaced()
          ? Math.max(LEAST_BATCH, Math.ceil(connections.upgraded / BATCHES))
          : Infinity;
        const isAtOnce = batch >= connections.upgraded;
        if (this.isReplaced()) code = SERVICE_RESTART;
        const goOn = (): void => {
          mayGo += batch;
          look();
        };
        goOn();
        // Repeatedly: a WebSocket may be accepted after the others were asked to close.
        stops.push(every(this.#clock, BATCH_MS, goOn));
        const graceMs = this.#closeGraceMs + (isAtOnce ? 0 : BATCHES * BATCH_MS);
        stops.push(every(this.#clock, graceMs, () => connections.destroyUpgraded()));
      };
      void answered.then(letUpgradedGo);
    }).finally(() => {
      isOver = true;
      this.#server.off('close', onClose);
      connections.onChange(() => {});
      for (const stop of stops) stop();
    });
  }

  #timedOut(afterMs: number): HostError {
    const open = this.#connections.describe();
    const named = open.slice(0, MAX_NAMED).join(', ');
    const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
    return new HostError(
      `hostx: http service ${this.#who}: graceful shutdown timed out after ${afterMs} ms with ` +
        `${this.#connections.size} connections open` +
        (open.length > 0 ? ` and requests under way: ${named}${more}` : ''),
    );
  }
}

/**
 * Resolves when what had come in has been read. A timer of a process that waited for its core is called before, and a
 * connection that seems idle then may have brought a request.
 */
function allRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Calls `fn` after the pending events, once for all calls until then; what they have brought is read before, as above. */
function onceSoon(fn: () => void): { readonly call: () => void; readonly cancel: () => void } {
  let due: NodeJS.Immediate | null = null;
  const run = (): void => {
    due = null;
    fn();
  };
  return {
    call: () => void (due ??= setImmediate(run)),
    cancel: () => clearImmediate(due ?? undefined),
  };
}

/** Calls `fn` every so often, but not oftener than looking makes sense. Returns how to end it. */
function every(clock: Clock, ms: number, fn: () => void): () => void {
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = clock.after(Math.max(ms, POLL_MS), () => {
      arm();
      fn();
    });
  };
  arm();
  return () => cancel();
}
