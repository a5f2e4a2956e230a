import {
  type Clock,
  type Deadline,
  type Duration,
  Mistakes,
  type WorkScope,
  shownValue,
  systemClock,
} from '@apix/contracts';
import { duration, readOptions } from '@apix/contracts/internal';
import { DRAIN_DEFAULTS, type DrainDefaults, type GivenDrain } from '../drain-delay.js';
import { Environment, defaultEnvironment } from '../environment.js';
import { mistakesIn } from '../errors.js';
import { type HostLogger, harmless, silentLogger } from '../log/host-logger.js';
import type { Observer } from '../observer.js';
import type { Service } from '../service.js';
import { DEFAULT_SHUTDOWN_TIMEOUT, type HeldSignals } from './signals.js';
import type { Host as HostHandle } from './host-handle.js';
import type { PlannedTask, Step, StopInfo, StoppingStep } from './host-plan.js';
import { ProcessHost } from './process-host.js';
import {
  type AddServiceOptions,
  type AddStartupTaskOptions,
  type Registration,
  ADDED_TASK_OPTIONS,
  registrationOf,
} from './registration.js';
import { startOrder } from './start-order.js';
import { withoutDelayIn } from './without-delay.js';

const TIMEOUT = duration({ min: 1 });

/** How long a reload hook may take with the reload timeout unset: 30 s. */
const DEFAULT_RELOAD_TIMEOUT = 30_000;

/** Collects the parts of a host; mistakes are kept, and thrown together by {@link build}. */
export class HostBuilder {
  readonly #mistakes = new Mistakes();
  readonly #services: Registration[] = [];
  readonly #names = new Set<string>();
  readonly #tasks: PlannedTask[] = [];
  readonly #started: Step<AbortSignal>[] = [];
  readonly #stopping: StoppingStep[] = [];
  readonly #teardown: Step<Deadline>[] = [];
  readonly #stopped: Step<Deadline>[] = [];
  readonly #closers: Step<Deadline>[] = [];
  readonly #reload: Step<AbortSignal>[] = [];
  readonly #observers: Observer[] = [];
  readonly #scopes: WorkScope[] = [];
  readonly #built: ((host: HostHandle) => void)[] = [];
  #logger: HostLogger | null = null;
  #environment: Environment | null = null;
  #bootTimeoutMs = Infinity;
  #startTimeoutMs = Infinity;
  #stopTimeoutMs = Infinity;
  #reloadTimeoutMs = DEFAULT_RELOAD_TIMEOUT;
  #shutdownTimeoutMs = DEFAULT_SHUTDOWN_TIMEOUT;
  #drain: GivenDrain = {};
  #signals: HeldSignals | null = null;
  #clock: Clock = systemClock;
  #random: () => number = Math.random;

  /** Services start in the order in which they are added and stop in reverse. */
  addService(service: Service, options: AddServiceOptions = {}): this {
    const number = this.#services.length + 1;
    const read = registrationOf(service, options, number, this.#names, this.#mistakes);
    if (read !== null) this.#services.push(read);
    return this;
  }

  /** Runs before any service, one after the other; one that fails ends the host. */
  addStartupTask(
    name: string,
    run: (signal: AbortSignal) => unknown,
    options: AddStartupTaskOptions = {},
  ): this {
    const steps: Step<AbortSignal>[] = [];
    this.#add(steps, 'startup task', run, name);
    const { scoped } = this.#mistakes.under(`startup task ${name}`, (mistakes) =>
      readOptions(ADDED_TASK_OPTIONS, options, '', mistakes),
    );
    for (const step of steps) this.#tasks.push({ ...step, isScoped: scoped });
    return this;
  }

  /**
   * Caps the whole start: startup tasks, including Nest's `app.init()`, readiness and started hooks. On a
   * timeout the host fails and names the unfinished parts. Default: unbounded.
   */
  withBootTimeout(timeout: Duration): this {
    this.#bootTimeoutMs = this.#timeout('bootTimeout', timeout);
    return this;
  }

  /**
   * Caps the stop of each service, which is then abandoned, so that a service that hangs leaves time for
   * the others. Default: only the shutdown timeout.
   */
  withStopTimeout(timeout: Duration): this {
    this.#stopTimeoutMs = this.#timeout('stopTimeout', timeout);
    return this;
  }

  /** Caps each reload hook, which is abandoned then. Default: {@link DEFAULT_RELOAD_TIMEOUT}. */
  withReloadTimeout(timeout: Duration): this {
    this.#reloadTimeoutMs = this.#timeout('reloadTimeout', timeout);
    return this;
  }

  /** Caps the wait for readiness, from the first service's start. Default: unbounded. */
  withStartTimeout(timeout: Duration): this {
    this.#startTimeoutMs = this.#timeout('startTimeout', timeout);
    return this;
  }

  /** Caps the entire teardown. Default: {@link DEFAULT_SHUTDOWN_TIMEOUT}. */
  withShutdownTimeout(timeout: Duration): this {
    this.#shutdownTimeoutMs = this.#timeout('shutdownTimeout', timeout);
    return this;
  }

  /** How transports drain whose own options do not say it. Default: 5 s, but 0 in Development and Test. */
  withDrain(drain: DrainDefaults): this {
    this.#drain = this.#mistakes.under('drain', (mistakes) =>
      readOptions(DRAIN_DEFAULTS, drain, '', mistakes),
    );
    return this;
  }

  /** Default: silent. */
  withLogger(logger: HostLogger): this {
    if (logger === null || logger === undefined) {
      this.#mistakes.add('logger', `must be a logger, not ${shownValue(logger)}`);
    }
    this.#logger = logger;
    return this;
  }

  /** Default: {@link defaultEnvironment}. */
  withEnvironment(environment: Environment | string): this {
    const isName = typeof environment === 'string';
    this.#environment = isName ? new Environment(environment) : environment;
    return this;
  }

  /** Several observers are called in the order in which they are added. */
  withObserver(observer: Observer): this {
    if (observer === null || observer === undefined) {
      this.#mistakes.add('observer', `must be an object, not ${shownValue(observer)}`);
    } else this.#observers.push(observer);
    return this;
  }

  /**
   * Puts a scope around each startup task and around each service's start and stop. Transports have none:
   * the work that they receive is separate, and would inherit their scope.
   */
  withWorkScope(scope: WorkScope): this {
    this.#scopes.push(scope);
    return this;
  }

  /** Signals that were held from before the host is built. Default: `run` listens from its call on. */
  withSignals(signals: HeldSignals): this {
    this.#signals = signals;
    return this;
  }

  /** Whose time the host lives in. Default: the machine's. */
  withClock(clock: Clock): this {
    this.#clock = clock;
    return this;
  }

  /** Jitter, from 0 to 1; if it throws or returns anything else, delays are not shortened. Default: Math.random. */
  withRandom(random: () => number): this {
    this.#random = random;
    return this;
  }

  /** Runs when everything is ready; one that fails stops the host. */
  onStarted(hook: (signal: AbortSignal) => unknown, name?: string): this {
    return this.#add(this.#started, 'started hook', hook, name);
  }

  /**
   * Runs when the shutdown has begun and nothing has stopped yet, also if the start was cancelled:
   * `stop.started` says how far it had got. All of these together get at most half of the shutdown timeout.
   */
  onStopping(hook: (deadline: Deadline, stop: StopInfo) => unknown, name?: string): this {
    return this.#add(this.#stopping, 'stopping hook', hook, name);
  }

  /** Runs when everything has stopped, also if the start failed. */
  onStopped(hook: (deadline: Deadline) => unknown, name?: string): this {
    return this.#add(this.#stopped, 'stopped hook', hook, name);
  }

  /** Runs on `reload()` and on SIGHUP. */
  onReload(hook: (signal: AbortSignal) => unknown, name?: string): this {
    return this.#add(this.#reload, 'reload hook', hook, name);
  }

  /** Runs between the last service and the stopped hooks: for the frame that services live in. */
  addTeardown(name: string, run: (deadline: Deadline) => unknown): this {
    return this.#add(this.#teardown, 'teardown', run, name);
  }

  /** Runs after the stopped hooks, the very last: for what everything else logs to. */
  addCloser(name: string, run: (deadline: Deadline) => unknown): this {
    return this.#add(this.#closers, 'closer', run, name);
  }

  /** Called by each {@link build} with the host that it made, for what reads the state of it. */
  onBuilt(listener: (host: HostHandle) => void): this {
    this.#built.push(listener);
    return this;
  }

  /** @throws HostError that lists every mistake. */
  build(): HostHandle {
    const mistakes = [...this.#mistakes.found];
    const ordered = [
      ...this.#services.filter(({ tier }) => tier === 'service'),
      ...this.#services.filter(({ tier }) => tier === 'transport'),
    ];
    const order = startOrder(
      ordered.map(({ service: { name }, after, tier }) => ({ name, after, tier })),
      mistakes,
    );
    if (mistakes.length > 0) throw mistakesIn('the host cannot be built')(mistakes);
    const environment = this.#environment ?? defaultEnvironment();
    const host = new ProcessHost({
      tasks: [...this.#tasks],
      services: ordered.map(({ service, restart, completes, stopTimeout, tier }) => ({
        service,
        restart: restart ?? null,
        completes,
        stopTimeoutMs: stopTimeout ?? this.#stopTimeoutMs,
        tier,
      })),
      order,
      onStarted: [...this.#started],
      onStopping: [...this.#stopping],
      teardown: [...this.#teardown],
      onStopped: [...this.#stopped],
      closers: [...this.#closers],
      onReload: [...this.#reload],
      scopes: [...this.#scopes],
      observers: [...this.#observers],
      logger: harmless(this.#logger ?? silentLogger),
      isSilent: this.#logger === null,
      environment,
      noDefaultDelay: withoutDelayIn(environment),
      drain: this.#drain,
      bootTimeoutMs: this.#bootTimeoutMs,
      startTimeoutMs: this.#startTimeoutMs,
      reloadTimeoutMs: this.#reloadTimeoutMs,
      shutdownTimeoutMs: this.#shutdownTimeoutMs,
      signals: this.#signals,
      clock: this.#clock,
      random: this.#random,
    });
    for (const listener of this.#built) listener(host);
    return host;
  }

  #timeout(name: string, given: Duration): number {
    return TIMEOUT.read(given, name, this.#mistakes) ?? 1;
  }

  #add<R extends (...told: never[]) => unknown>(
    steps: { readonly name: string; readonly run: R }[],
    kind: string,
    run: R,
    name?: string,
  ): this {
    const shown = name ?? (run?.name || `number ${steps.length + 1}`);
    const who = `${kind} ${shown}`;
    if (typeof run !== 'function') {
      this.#mistakes.add(who, `must be a function, not ${shownValue(run)}`);
    } else if (name === '') {
      const numbered = `${kind} number ${steps.length + 1}`;
      this.#mistakes.add(numbered, 'name: must be a non-empty string, not ""');
    } else steps.push({ name: shown, run });
    return this;
  }
}

export type Host = HostHandle;

/** Where a host begins: `Host.builder()`. */
export const Host = {
  builder(): HostBuilder {
    return new HostBuilder();
  },
} as const;
