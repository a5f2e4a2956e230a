import {
  type Clock,
  type Duration,
  HEALTH_SOURCE,
  type HealthCheck,
  type HealthSource,
  Mistakes,
  systemClock,
  thrownText,
} from '@apix/contracts';
import {
  healthChecksOf,
  arrayOf,
  CLOCK,
  DURATION,
  duration,
  foreignObject,
  type OptionTable,
  readOptions,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import { mistakesIn } from '../errors.js';
import type { HostBuilder } from '../host/host-builder.js';
import {
  type CheckLimits,
  CheckRun,
  type CheckResult,
  type HealthReport,
  reportOf,
} from './check-run.js';
import type { Checker } from './checker.js';
import {
  type HealthHandler,
  type HealthHandlerOptions,
  type HealthMountOptions,
  byPath,
  checkHandlerOptions,
  reportHandler,
  resolvePaths,
} from './health-handler.js';
import { serviceChecks } from './service-checks.js';

/**
 * Runs the checks of a probe, by default all at once, and resolves with their results; each `run`
 * keeps to its timeout and never rejects.
 */
export type CheckRunner = (
  checks: readonly RunnableCheck[],
  probe: HealthCheck['affects'],
) => Promise<readonly CheckResult[]>;

export interface RunnableCheck {
  readonly name: string;
  run(): Promise<CheckResult>;
}

export interface HealthRegistryOptions {
  /** Default: none. */
  readonly checks?: readonly Checker[] | undefined;
  /** How long a check may take; one that hangs fails its probe after so long. Default: '3s'. */
  readonly timeout?: Duration | undefined;
  /**
   * How long an outcome is kept, so that many probes do not strain what they check. Probes at the same time
   * share a run in any case. Default: 0, not at all.
   */
  readonly cache?: Duration | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** The allowed values of the options of the registry. */
export const REGISTRY = {
  checks: withDefault(arrayOf(foreignObject<Checker>('a check')), []),
  timeout: withDefault(duration({ min: 1 }), 3_000),
  cache: withDefault(DURATION, 0),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<HealthRegistryOptions>;

/** Knows whether the instance lives, is ready for traffic and has started. Starts not ready. */
export class HealthRegistry implements HealthSource {
  readonly [HEALTH_SOURCE] = true as const;
  readonly #checkers = new Map<string, Checker>();
  readonly #sources = new Set<HealthSource>();
  readonly #runs = new Map<HealthSource, Map<string, CheckRun>>();
  readonly #limits: CheckLimits;
  readonly #clock: Clock;
  #runner: CheckRunner = runAtOnce;
  readonly #watchers = new Set<(report: HealthReport) => void>();
  #isReady = false;
  #hasStarted = false;

  /** @throws HostError that lists every mistake: in durations, and names given twice. */
  constructor(options: HealthRegistryOptions = {}) {
    const mistakes = new Mistakes();
    const { timeout, cache, clock, checks } = readOptions(REGISTRY, options, '', mistakes);
    this.#limits = { timeoutMs: timeout, cacheMs: cache };
    this.#clock = clock;
    for (const checker of checks) this.#adopt(checker, mistakes);
    mistakes.throwIfAny(mistakesIn('health'));
    this.#sources.add(this);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether it has ever been ready. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  setReady(ready: boolean): void {
    this.#isReady = ready;
    this.#hasStarted ||= ready;
  }

  /** @throws HostError for a name that another check has, and for wrong durations. */
  add(checker: Checker): this {
    const mistakes = new Mistakes();
    this.#adopt(checker, mistakes);
    mistakes.throwIfAny(mistakesIn('health'));
    return this;
  }

  #adopt(checker: Checker, mistakes: Mistakes): void {
    const name = TEXT.read(checker.name, 'check: name', mistakes) ?? '';
    if (this.#checkers.has(name)) {
      mistakes.add(`check ${name}`, 'another check has this name; choose another one');
    }
    limitsOf(checker, this.#limits, mistakes);
    this.#checkers.set(name, checker);
  }

  /** Asked for its checks at each probe. */
  addSource(source: HealthSource): this {
    this.#sources.add(source);
    return this;
  }

  /**
   * Binds the readiness to a host: on when everything has started, off as soon as something asks
   * it to stop, before anything does. The states of its services count for readiness only.
   */
  bind(builder: HostBuilder): this {
    this.setReady(false);
    builder.withObserver({ hostPhaseChanged: ({ to }) => this.setReady(to === 'running') });
    builder.onBuilt((host) => {
      this.addSource({ healthChecks: () => serviceChecks(() => host.state) });
    });
    return this;
  }

  /** Delegates running the checks to a runner that logs their results. */
  runWith(runner: CheckRunner): void {
    this.#runner = runner;
  }

  /**
   * Calls back with the outcome of each readiness probe, also of those of other callers, while the readiness is on. The
   * callback must not throw.
   *
   * @returns what ends it.
   */
  watchReady(watch: (report: HealthReport) => void): () => void {
    this.#watchers.add(watch);
    return () => void this.#watchers.delete(watch);
  }

  /** Well when every check that affects `live` passes. */
  live(): Promise<HealthReport> {
    return this.#report('live', this.#runner);
  }

  /** Well when the readiness is on and every check passes. */
  async ready(): Promise<HealthReport> {
    if (this.#isReady) {
      const report = await this.#report('ready', this.#runner);
      // What a stop makes of the checks while they run is not a failure either.
      if (this.isReady) for (const watch of this.#watchers) watch(report);
      return report;
    }
    // That it starts or stops is not a failure to log; the checks are there to be read.
    const { checks } = await this.#report('ready', runAtOnce);
    return { status: 'unhealthy', checks: { ready: 'not ready', ...checks } };
  }

  /** Well once it has been ready, whatever came after. */
  startup(): Promise<HealthReport> {
    const outcome = this.#hasStarted ? null : 'not started';
    return Promise.resolve(reportOf([{ name: 'startup', outcome }]));
  }

  liveHandler(options: HealthHandlerOptions = {}): HealthHandler {
    checkHandlerOptions(options);
    return reportHandler(() => this.live(), options);
  }

  readyHandler(options: HealthHandlerOptions = {}): HealthHandler {
    checkHandlerOptions(options);
    return reportHandler(() => this.ready(), options);
  }

  startupHandler(options: HealthHandlerOptions = {}): HealthHandler {
    checkHandlerOptions(options);
    return reportHandler(() => this.startup(), options);
  }

  /**
   * All endpoints as one handler, for `httpService` or `app.use`.
   *
   * @throws HostError for a value that is not a path, and for a path given twice.
   */
  handler(options: HealthMountOptions = {}): HealthHandler {
    return byPath(healthEndpoints(this, options));
  }

  /** The checks added here, for other readers of health; those of other sources are not in it. */
  healthChecks(): readonly Checker[] {
    return [...this.#checkers.values()];
  }

  async #report(probe: HealthCheck['affects'], runner: CheckRunner): Promise<HealthReport> {
    const checks = [...this.#sources].flatMap((source) => this.#checksOf(source, probe));
    try {
      return reportOf(await runner(checks, probe));
    } catch (error) {
      return reportOf([{ name: 'health', outcome: thrownText(error) }]);
    }
  }

  #checksOf(source: HealthSource, probe: HealthCheck['affects']): RunnableCheck[] {
    const checks: readonly Checker[] = healthChecksOf(source);
    return checks
      .map((check, index) => ({ check, run: this.#runOf(source, `${index} ${check.name}`) }))
      .filter(({ check: { affects } }) => probe === 'ready' || affects === 'live')
      .map(({ check, run }) => ({
        name: check.name,
        run: async () => {
          // The options of a check from a source have not been checked yet.
          const mistakes = new Mistakes();
          const limits = limitsOf(check, this.#limits, mistakes);
          const wrong = mistakes.found.length > 0 ? mistakes.found.join('; ') : null;
          return { name: check.name, outcome: wrong ?? (await run.outcome(check, limits)) };
        },
      }));
  }

  /** A source makes new checks at each probe; their runs are identified by key. */
  #runOf(source: HealthSource, key: string): CheckRun {
    let runs = this.#runs.get(source);
    if (runs === undefined) this.#runs.set(source, (runs = new Map()));
    let run = runs.get(key);
    if (run === undefined) runs.set(key, (run = new CheckRun(this.#clock)));
    return run;
  }
}

/** The handlers of all endpoints by their paths. @throws HostError as {@link HealthRegistry.handler}. */
export function healthEndpoints(
  registry: HealthRegistry,
  options: HealthMountOptions,
): ReadonlyMap<string, HealthHandler> {
  const { livePath, readyPath, startupPath } = resolvePaths(options);
  const shown: HealthHandlerOptions =
    options.details === undefined ? {} : { details: options.details };
  return new Map([
    [livePath, registry.liveHandler(shown)],
    [readyPath, registry.readyHandler(shown)],
    [startupPath, registry.startupHandler(shown)],
  ]);
}

const runAtOnce: CheckRunner = (checks) => Promise.all(checks.map((check) => check.run()));

function limitsOf(
  { name, timeout, cache }: Checker,
  ours: CheckLimits,
  mistakes: Mistakes,
): CheckLimits {
  if (timeout === undefined && cache === undefined) return ours;
  const own = mistakes.under(`check ${name}`, (inner) =>
    readOptions(LIMITS, { timeout, cache }, '', inner),
  );
  return { timeoutMs: own.timeout ?? ours.timeoutMs, cacheMs: own.cache ?? ours.cacheMs };
}

const LIMITS = { timeout: duration({ min: 1 }), cache: DURATION };
