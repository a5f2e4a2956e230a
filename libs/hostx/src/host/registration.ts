import { type Duration, type Mistakes, shownValue } from '@apix/contracts';
import {
  arrayOf,
  choice,
  duration,
  FLAG,
  type OptionTable,
  readOptions,
  type ReadOptions,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import { parentLink } from '../processes/parent-link.js';
import { singleService } from '../processes/single-service.js';
import type { ServiceTier } from '../service-tier.js';
import type { Service } from '../service.js';
import { RESTART, type RestartPolicy } from '../supervision/restart-policy.js';

export interface AddServiceOptions {
  /**
   * What happens when it ends early; `'on-failure'`: it is restarted after an error, with the
   * defaults of a policy, and `completes`. Default: the whole host stops, naming it.
   */
  readonly restart?: RestartPolicy | 'on-failure' | undefined;
  /**
   * Whether `start` may return: without an error it has completed then, and is not restarted, the host
   * continues, and the services after it need not wait for it any longer. Default: false, but true where
   * `restart` is 'on-failure'.
   */
  readonly completes?: boolean | undefined;
  /**
   * Names of the services that must be ready first; those alone, so that `[]` starts at once.
   * Default: every service registered before it.
   */
  readonly after?: readonly string[] | undefined;
  /** Default: 'service'. */
  readonly tier?: ServiceTier | undefined;
  /** Caps its stop, so that others have time left. Default: the stop timeout of the host. */
  readonly stopTimeout?: Duration | undefined;
  /**
   * Of an app in several processes, it runs in one of them, and in another when that has ended; the services
   * after it do not wait for it elsewhere. Default: false, it runs in every process.
   */
  readonly single?: boolean | undefined;
}

export interface AddStartupTaskOptions {
  /**
   * Whether it runs inside the work scopes. False for a task that sets up what outlives it: all
   * of that would log under the task's name. Default: true.
   */
  readonly scoped?: boolean | undefined;
}

/** The allowed values of the options of a service. */
export const SERVICE_OPTIONS = {
  restart: RESTART,
  completes: FLAG,
  after: arrayOf(STRING, 'an array of names of services'),
  tier: withDefault(choice(['service', 'transport']), 'service'),
  stopTimeout: duration({ min: 1 }),
  single: FLAG,
} satisfies OptionTable<AddServiceOptions>;

/** The allowed values of the options of a startup task. */
export const ADDED_TASK_OPTIONS = {
  scoped: withDefault(FLAG, true),
} satisfies OptionTable<AddStartupTaskOptions>;

/** A service that was added, its options read. */
export interface Registration extends Omit<ReadOptions<typeof SERVICE_OPTIONS>, 'completes'> {
  readonly service: Service;
  readonly completes: boolean;
}

/**
 * A service with its options read; null, and a mistake, if it is not a service with a name.
 *
 * @param number counted from 1
 * @param names of the services before it; gets that of this one
 */
export function registrationOf(
  service: Service,
  options: AddServiceOptions,
  number: number,
  names: Set<string>,
  mistakes: Mistakes,
): Registration | null {
  const numbered = `service number ${number}`;
  if (service === null || service === undefined || typeof service.start !== 'function') {
    mistakes.add(numbered, 'must be a service, an object with a start method');
    return null;
  }
  const { name } = service;
  if (typeof name !== 'string' || name === '') {
    mistakes.add(numbered, `name: must be a non-empty string, not ${shownValue(name)}`);
    return null;
  }
  if (names.has(name)) {
    mistakes.add(`service ${name}`, 'another service has this name; choose another one');
  }
  names.add(name);
  const read = mistakes.under(`service ${name}`, (inner) =>
    readOptions(SERVICE_OPTIONS, options, '', inner),
  );
  const { completes = options.restart === 'on-failure' } = read;
  const link = read.single === true ? parentLink() : null;
  return { ...read, service: link === null ? service : singleService(service, link), completes };
}
