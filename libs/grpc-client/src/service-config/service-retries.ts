import { type Mistakes, shownValue } from '@apix/contracts';
import {
  anyValue,
  FLAG,
  foreignObject,
  isRecord,
  type OptionTable,
  readOptions,
} from '@apix/contracts/internal';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { MethodConfig } from '@grpc/grpc-js';
import { isDeclaredIdempotent, notIdempotent, unknownMethod } from './method-names.js';
import type { MethodRetryOptions, RetryLimits, ServiceRetryOptions } from './retry-options.js';
import { hedgingPolicy, retryPolicy } from './retry-policy.js';

/** Retries or hedging of a service, and of single methods by their names. */
export interface ServiceRetries<S extends DescService = DescService> extends ServiceRetryOptions {
  /** For single methods, by their names. Default: none. */
  readonly methods?: { readonly [K in keyof S['method']]?: MethodRetryOptions } | undefined;
}

/** A service and its retries; created by {@link retriesOf}. */
export interface RetriedService {
  readonly service: DescService;
  readonly options: ServiceRetries;
}

/** Retries of a service over a channel that several clients share, for `retries` of `openChannel`. */
export function retriesOf<S extends DescService>(
  service: S,
  options: ServiceRetries<S>,
): RetriedService {
  return { service, options };
}

// Policies are checked with the limits of the channel.
const POLICIES = {
  retry: anyValue(),
  hedge: anyValue(),
} satisfies OptionTable<ServiceRetryOptions>;

/** The allowed values of the retries of a method. */
export const METHOD_RETRIES = {
  ...POLICIES,
  idempotent: FLAG,
} satisfies OptionTable<MethodRetryOptions>;

/** The allowed values of the retries of a service. */
export const SERVICE_RETRIES = {
  ...POLICIES,
  methods: foreignObject<Readonly<Record<string, unknown>>>(),
} satisfies OptionTable<ServiceRetries>;

type Policy = Pick<MethodConfig, 'retryPolicy' | 'hedgingPolicy'>;
type ByMethod = Readonly<Record<string, MethodRetryOptions | undefined>>;

/**
 * The part of a service config about one service, with an entry for each method whose calls are made
 * again. Notes every mistake, but for names of methods.
 */
// Why: docs/decisions/0272
export function retryConfigs(
  prefix: string,
  { service, options }: RetriedService,
  limits: RetryLimits,
  mistakes: Mistakes,
): MethodConfig[] {
  const methods: ByMethod = options.methods ?? {};
  const shared = policyOf(prefix, options, limits, mistakes);
  if (shared !== undefined && !service.methods.some((it) => mayRepeat(it, methods))) {
    mistakes.add(
      `${prefix}${shared.retryPolicy === undefined ? 'hedge' : 'retry'}`,
      `no method of ${service.typeName} is declared idempotent; set idempotency_level in its proto, ` +
        'or idempotent: true for single methods',
    );
  }
  return service.methods.flatMap((method) => {
    const own = methods[method.localName] ?? {};
    const where = `${prefix}methods.${method.localName}.`;
    const ownPolicy = policyOf(where, own, limits, mistakes);
    const isAllowed = mayRepeat(method, methods);
    if (ownPolicy !== undefined && !isAllowed) {
      const option = ownPolicy.retryPolicy === undefined ? 'hedge' : 'retry';
      mistakes.add(
        `${where}${option}`,
        own.idempotent === false
          ? 'cannot be combined with idempotent: false'
          : notIdempotent(method),
      );
    }
    const policy = ownPolicy ?? (isAllowed && !isSwitchedOff(shared, own) ? shared : undefined);
    if (policy === undefined) return [];
    return [{ name: [{ service: service.typeName, method: method.name }], ...policy }];
  });
}

/** An entry of `retries`; undefined for one that cannot be used. Notes every mistake, but for policies. */
export function retriedService(
  at: string,
  entry: unknown,
  mistakes: Mistakes,
): RetriedService | undefined {
  if (!isRetried(entry)) {
    mistakes.add(at, `must be made by retriesOf, not ${shownValue(entry)}`);
    return undefined;
  }
  const { service, options } = entry;
  const { methods = {} } = readOptions(SERVICE_RETRIES, options, at, mistakes);
  const names = service.methods.map(({ localName }) => localName);
  for (const [name, own = {}] of Object.entries(methods)) {
    const place = `${at}.methods.${name}`;
    if (!names.includes(name)) mistakes.add(place, unknownMethod(service, name, names));
    readOptions(METHOD_RETRIES, own, place, mistakes);
  }
  return isRecord(options) ? entry : undefined;
}

function isRetried(entry: unknown): entry is RetriedService {
  return (
    isRecord(entry) && isRecord(entry['service']) && Array.isArray(entry['service']['methods'])
  );
}

/** Whether anything is made again, which only a channel can do. */
export function hasRetries({ retry, hedge, methods }: ServiceRetries): boolean {
  const all: readonly ServiceRetryOptions[] = [
    { retry, hedge },
    ...Object.values<MethodRetryOptions | undefined>(methods ?? {}).map((it) => it ?? {}),
  ];
  return all.some((it) => isGiven(it.retry) || isGiven(it.hedge));
}

/** Whether a method may be called twice for what once should do. */
export function mayRepeat(method: DescMethod, methods: ByMethod): boolean {
  return methods[method.localName]?.idempotent ?? isDeclaredIdempotent(method);
}

function policyOf(
  prefix: string,
  { retry, hedge }: ServiceRetryOptions,
  limits: RetryLimits,
  mistakes: Mistakes,
): Policy | undefined {
  for (const [name, value] of Object.entries({ retry, hedge })) {
    if (isGiven(value) && !isRecord(value)) {
      mistakes.add(`${prefix}${name}`, `must be false or an object, not ${shownValue(value)}`);
      return undefined;
    }
  }
  if (isGiven(retry) && isGiven(hedge)) {
    mistakes.add(`${prefix}retry and ${prefix}hedge`, 'use only one of them');
  }
  if (isGiven(retry)) {
    return { retryPolicy: retryPolicy(`${prefix}retry`, retry, limits, mistakes) };
  }
  if (!isGiven(hedge)) return undefined;
  return { hedgingPolicy: hedgingPolicy(`${prefix}hedge`, hedge, limits, mistakes) };
}

function isSwitchedOff(shared: Policy | undefined, { retry, hedge }: MethodRetryOptions): boolean {
  return (shared?.retryPolicy === undefined ? hedge : retry) === false;
}

function isGiven<T>(value: T | false | undefined): value is T {
  return value !== undefined && value !== false;
}
