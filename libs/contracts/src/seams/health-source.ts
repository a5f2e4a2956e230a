import { markClass } from '../brand.js';
import { Mistakes } from '../mistakes.js';
import { callable, choice, TEXT } from '../options/option-kinds.js';
import { isPromiseLike } from '../kind-of-value.js';
import { shownValue, thrownError } from '../shown-value.js';
import { sourceName } from './source-name.js';

/** The result of an indicator of `@nestjs/terminus`: by key, a status and further details. */
export type IndicatorResult = Readonly<Record<string, IndicatorStatus>>;

export interface IndicatorStatus {
  /** `up`, `degraded` or `down`. */
  readonly status: string;
  readonly message?: unknown;
}

/**
 * The value that a health check returns. Nothing and `true` mean well, `false` means not well. A result of
 * terminus means well unless one of its keys is `down`.
 */
export type HealthAnswer = void | boolean | IndicatorResult;

/** Offered by hostx, grpc, cron, sinks and the gateway; read by health endpoints. */
export const HEALTH_SOURCE = Symbol.for('apix.HealthSource');

export interface HealthCheck {
  readonly name: string;
  /** `live`: a failure asks for a restart of the instance; `ready`: it only asks to stop the traffic. */
  readonly affects: 'live' | 'ready';
  /** Rejects, with a message for the operator, or returns an answer that says so, if the thing is not well. */
  check(signal: AbortSignal): HealthAnswer | PromiseLike<HealthAnswer>;
}

export interface HealthSource {
  readonly [HEALTH_SOURCE]?: true;
  healthChecks(): readonly HealthCheck[];
}

/** Marks a provider whose checks the health endpoints run. The same as a property `[HEALTH_SOURCE] = true`. */
export function HealthSource(): ClassDecorator {
  return markClass(HEALTH_SOURCE);
}

const AFFECTS = choice(['live', 'ready']);
const RUN = callable();

/**
 * The checks of a source. One that throws, or that returns anything but checks, is a single check
 * that fails and affects `ready`: whether a restart would help is not known. Never throws.
 */
export function healthChecksOf(source: HealthSource): readonly HealthCheck[] {
  try {
    const checks: unknown = source.healthChecks();
    if (!Array.isArray(checks)) {
      // Nothing awaits it any more, and an unhandled rejection would end the process.
      if (isPromiseLike(checks)) void checks.then(undefined, () => {});
      const shown = shownValue(checks);
      throw new TypeError(`healthChecks() must return an array of checks, not ${shown}`);
    }
    for (const [index, check] of checks.entries()) assertCheck(check, index);
    return checks as readonly HealthCheck[];
  } catch (error) {
    const name = sourceName(source, 'health source');
    return [{ name, affects: 'ready', check: () => Promise.reject(error) }];
  }
}

function assertCheck(check: HealthCheck | null | undefined, index: number): void {
  const mistakes = new Mistakes();
  const where = `check number ${index + 1}`;
  if (check === null || check === undefined) {
    mistakes.add(where, `must be an object, not ${shownValue(check)}`);
  } else {
    TEXT.read(check.name, `${where}: name`, mistakes);
    AFFECTS.read(check.affects, `${where}: affects`, mistakes);
    RUN.read(Reflect.get(check, 'check'), `${where}: check`, mistakes);
  }
  mistakes.throwIfAny((found) => new TypeError(`healthChecks(): ${found.join('; ')}`));
}

/**
 * Runs a check. Every reader of health does it by this function, so that all of them judge an answer alike.
 *
 * @throws what the check threw; an Error if its answer means that it is not well, or is none of
 *   `HealthAnswer`.
 */
export async function runHealthCheck(check: HealthCheck, signal: AbortSignal): Promise<void> {
  const answer: unknown = await check.check(signal);
  if (answer === undefined || answer === true) return;
  if (answer === false) throw new Error('the check returned false');
  if (answer instanceof Error) throw thrownError(answer);
  const indicators = indicatorsIn(answer);
  if (indicators === null) {
    throw new TypeError(
      'a check must return nothing, true, false or a result of @nestjs/terminus, and throw if it fails; ' +
        `this one returned ${shownValue(answer)}`,
    );
  }
  const failures = indicators.flatMap(([key, status]) => failureOf(key, status) ?? []);
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** The keys of a terminus result; null for any other value. */
function indicatorsIn(answer: unknown): readonly [string, IndicatorStatus][] | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const entries = Object.entries(isWholeResult(answer) ? answer.details : answer);
  return entries.length > 0 && entries.every(hasStatus) ? entries : null;
}

/** Whether it is what `HealthCheckService.check()` resolves with; that rejects unless all are up. */
function isWholeResult(answer: object): answer is { readonly details: object } {
  const { status, details } = answer as Readonly<Record<string, unknown>>;
  return status === 'ok' && typeof details === 'object' && details !== null;
}

function hasStatus(entry: [string, unknown]): entry is [string, IndicatorStatus] {
  const [, value] = entry;
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { readonly status?: unknown }).status === 'string';
}

/** Why an indicator is not well, by its own message if it has one; null if it is well. */
function failureOf(key: string, { status, message }: IndicatorStatus): string | null {
  switch (status) {
    case 'up':
    case 'degraded':
      return null;
    case 'down':
      return typeof message === 'string' && message !== '' ? message : `${key} is down`;
    default:
      return `${key} has the unknown status ${shownValue(status)}`;
  }
}
