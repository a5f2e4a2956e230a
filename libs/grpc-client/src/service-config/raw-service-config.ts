import { type Mistakes, shownValue, thrownText } from '@apix/contracts';
import type { MethodConfig, ServiceConfig } from '@grpc/grpc-js';
import { experimental } from '@grpc/grpc-js';
import { entryFor } from './lost-calls.js';
import { notIdempotent } from './method-names.js';
import { rawMethodConfig } from './raw-method-config.js';
import { type JsonMembers, jsonMembersOf, refuseOthers } from './raw-object.js';
import type { RetryLimits } from './retry-options.js';
import { throttlingConfig } from './retry-throttling.js';
import { type RetriedService, mayRepeat } from './service-retries.js';

/** A service config of gRPC (service_config.proto) as its JSON, or as the object that this is of. */
export type RawServiceConfig = string | Readonly<Record<string, unknown>>;

const IGNORED = 'grpc-js ignores it';
const WHERE = 'serviceConfig';

/**
 * A service config as grpc-js understands it. Notes every mistake: what grpc-js would refuse, cut or ignore,
 * and policies that repeat calls of the client's own methods which are not idempotent.
 *
 * @param own the service of the client. Default: a channel for any service, of which nothing is known.
 */
export function rawServiceConfig(
  given: RawServiceConfig,
  own: RetriedService | undefined,
  limits: RetryLimits,
  mistakes: Mistakes,
): ServiceConfig {
  const raw = jsonMembersOf(WHERE, parsed(given, mistakes), mistakes);
  const known = ['methodConfig', 'loadBalancingConfig', 'retryThrottling'];
  refuseOthers(WHERE, raw, known, IGNORED, mistakes);
  const methodConfig = listOf(`${WHERE}.methodConfig`, raw['methodConfig'], mistakes).map(
    (each, place) => rawMethodConfig(`${WHERE}.methodConfig[${place}]`, each, limits, mistakes),
  );
  checkNames(methodConfig, own, mistakes);
  if (own !== undefined) checkRepeats(methodConfig, own, mistakes);
  const { retryThrottling } = raw;
  return {
    methodConfig,
    loadBalancingConfig: balancersOf(raw, mistakes),
    ...(retryThrottling !== undefined && {
      retryThrottling: throttlingConfig(
        retryThrottling as Parameters<typeof throttlingConfig>[0],
        mistakes,
      ),
    }),
  };
}

function parsed(given: RawServiceConfig, mistakes: Mistakes): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch (error) {
    mistakes.add(WHERE, `not JSON: ${thrownText(error)}`);
    return {};
  }
}

/** grpc-js uses the first that it knows, and silently pick_first if it knows none. */
function balancersOf(raw: JsonMembers, mistakes: Mistakes): ServiceConfig['loadBalancingConfig'] {
  const where = `${WHERE}.loadBalancingConfig`;
  const list = listOf(where, raw['loadBalancingConfig'], mistakes) as { [key: string]: object }[];
  const problems: string[] = [];
  for (const config of list) {
    try {
      experimental.parseLoadBalancingConfig(config);
      return list;
    } catch (error) {
      problems.push(thrownText(error));
    }
  }
  if (problems.length > 0) mistakes.add(where, `grpc-js cannot use it: ${problems.join('; ')}`);
  return list;
}

function checkNames(
  configs: readonly MethodConfig[],
  own: RetriedService | undefined,
  mistakes: Mistakes,
): void {
  const seen = new Set<string>();
  for (const [place, { name }] of configs.entries()) {
    for (const { service = '', method = '' } of name) {
      const full = `${service}/${method}`;
      const where = `${WHERE}.methodConfig[${place}].name`;
      if (seen.has(full)) mistakes.add(where, `${shownValue(full)} is listed twice`);
      seen.add(full);
      if (own === undefined || method === '' || service !== own.service.typeName) continue;
      if (!own.service.methods.some((it) => it.name === method)) {
        const names = own.service.methods.map((it) => it.name).join(', ');
        mistakes.add(where, `${service} has no method ${shownValue(method)}; it has ${names}`);
      }
    }
  }
}

function checkRepeats(
  configs: readonly MethodConfig[],
  { service, options }: RetriedService,
  mistakes: Mistakes,
): void {
  for (const method of service.methods) {
    const place = entryFor(method, configs);
    if (place === -1 || mayRepeat(method, options.methods ?? {})) continue;
    const { retryPolicy, hedgingPolicy } = configs[place]!;
    if (retryPolicy === undefined && hedgingPolicy === undefined) continue;
    mistakes.add(`${WHERE}.methodConfig[${place}]`, notIdempotent(method));
  }
}

function listOf(where: string, given: unknown, mistakes: Mistakes): readonly unknown[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return given;
  // grpc-js ignores a methodConfig that is not an array.
  mistakes.add(where, `must be an array, not ${shownValue(given)}`);
  return [];
}
