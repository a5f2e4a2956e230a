import { type Mistakes, shownValue } from '@apix/contracts';
import type { ChannelOptions, ServiceConfig } from '@grpc/grpc-js';
import { type BalanceOptions, type BalancePolicy, balanceConfig } from './balance.js';
import { type LostCalls, NO_LOST_CALLS, lostCalls } from './lost-calls.js';
import { type RawServiceConfig, rawServiceConfig } from './raw-service-config.js';
import type { RetryLimits } from './retry-options.js';
import { type RetryThrottlingOptions, throttlingConfig } from './retry-throttling.js';
import {
  type RetriedService,
  hasRetries,
  retriedService,
  retryConfigs,
} from './service-retries.js';

/**
 * Balancing, retries and service config of a channel. Without effect for calls to a server of this process,
 * but checked all the same.
 */
export interface ServiceConfigOptions {
  /** How calls are spread over the addresses that the endpoint's name has. Default: 'pick_first'. */
  readonly balance?: BalancePolicy | BalanceOptions | undefined;
  /**
   * Retries for clients that share the channel: `[retriesOf(Catalog, { retry: {} })]`. A client with its
   * own channel sets them itself. Default: none.
   */
  readonly retries?: readonly RetriedService[] | undefined;
  /**
   * Stops retries while too many calls fail. grpc-js counts for all channels of the process to an endpoint,
   * and forgets the count when one without this option connects. Default: none.
   */
  readonly retryThrottling?: RetryThrottlingOptions | undefined;
  /**
   * A service config of gRPC instead of the options above and of retries of the client. Members that
   * grpc-js would ignore, cut or refuse are mistakes, and so are retries of methods of the client's service
   * that are not idempotent. Default: that of the resolver, which for a DNS name is a TXT record; once one
   * of these options is set, such records are not queried.
   */
  readonly serviceConfig?: RawServiceConfig | undefined;
}

/** Of gRFC A6, and of grpc-js where nothing else is said. */
const MAX_ATTEMPTS = 5;

/** The result of the options. */
export interface ResolvedServiceConfig {
  /** Of grpc-js. */
  readonly channelOptions: ChannelOptions;
  readonly lostCalls: LostCalls;
}

/**
 * The channel options for these settings, if there are any. Records every mistake.
 *
 * @param own the service of the client that owns the channel.
 */
export function serviceConfigOptions(
  init: ServiceConfigOptions & { readonly channelOptions?: ChannelOptions | undefined },
  own: RetriedService | undefined,
  mistakes: Mistakes,
): ResolvedServiceConfig {
  const { channelOptions = {}, serviceConfig } = init;
  const limits = limitsOf(channelOptions, mistakes);
  const config = typedConfig(init, own, limits, mistakes);
  const hasOptions = Object.keys(config).length > 0;
  if (!hasOptions && serviceConfig === undefined) {
    return { channelOptions: {}, lostCalls: NO_LOST_CALLS };
  }
  if (hasOptions && serviceConfig !== undefined) {
    const set = Object.keys(config)
      .map((it) => OPTION_OF[it])
      .join(', ');
    mistakes.add('serviceConfig', `cannot be combined with ${set}; use only one of them`);
  }
  if (channelOptions['grpc.service_config'] !== undefined) {
    mistakes.add(
      'channelOptions',
      'grpc.service_config would be replaced; use the option serviceConfig for it',
    );
  }
  const whole =
    serviceConfig === undefined ? config : rawServiceConfig(serviceConfig, own, limits, mistakes);
  checkEnabled(whole, channelOptions, mistakes);
  return {
    channelOptions: {
      'grpc.service_config': JSON.stringify(whole),
      // A record of DNS would take the place of the whole config.
      'grpc.service_config_disable_resolution': 1,
    },
    lostCalls: lostCalls(whole.methodConfig ?? []),
  };
}

/** Options that a client may not set for a shared channel. */
export function checkShared(
  init: ServiceConfigOptions,
  { service, options }: RetriedService,
  mistakes: Mistakes,
): void {
  const { balance, retries, retryThrottling, serviceConfig } = init;
  for (const [name, value] of Object.entries({
    balance,
    retries,
    retryThrottling,
    serviceConfig,
  })) {
    if (value !== undefined)
      mistakes.add(name, 'cannot be combined with channel; set it in openChannel');
  }
  if (hasRetries(options)) {
    mistakes.add(
      'channel',
      `its retries are not those of a client; use openChannel({ retries: [retriesOf(${service.name}, …)] })`,
    );
  }
}

const OPTION_OF: Readonly<Record<string, string>> = {
  methodConfig: 'retry or hedge',
  loadBalancingConfig: 'balance',
  retryThrottling: 'retryThrottling',
};

function typedConfig(
  { balance, retries = [], retryThrottling }: ServiceConfigOptions,
  own: RetriedService | undefined,
  limits: RetryLimits,
  mistakes: Mistakes,
): Partial<ServiceConfig> {
  const methodConfig = own === undefined ? [] : retryConfigs('', own, limits, mistakes);
  const seen = new Set(methodConfig.length > 0 ? [own!.service.typeName] : []);
  for (const [place, entry] of retries.entries()) {
    const prefix = `retries[${place}]`;
    const each = retriedService(prefix, entry, mistakes);
    if (each === undefined) continue;
    const { typeName } = each.service;
    if (seen.has(typeName)) mistakes.add(prefix, `${typeName} has retries already`);
    seen.add(typeName);
    methodConfig.push(...retryConfigs(`${prefix}.`, each, limits, mistakes));
  }
  return {
    ...(methodConfig.length > 0 && { methodConfig }),
    ...(balance !== undefined && { loadBalancingConfig: [balanceConfig(balance, mistakes)] }),
    ...(retryThrottling !== undefined && {
      retryThrottling: throttlingConfig(retryThrottling, mistakes),
    }),
  };
}

function limitsOf(channelOptions: ChannelOptions, mistakes: Mistakes): RetryLimits {
  const most: unknown = channelOptions?.['grpc-node.retry_max_attempts_limit'] ?? MAX_ATTEMPTS;
  if (Number.isSafeInteger(most) && (most as number) > 0) return { maxAttempts: most as number };
  mistakes.add(
    'channelOptions',
    `grpc-node.retry_max_attempts_limit must be an integer of at least 1, not ${shownValue(most)}`,
  );
  return { maxAttempts: MAX_ATTEMPTS };
}

function checkEnabled(
  { methodConfig = [] }: Partial<ServiceConfig>,
  channelOptions: ChannelOptions,
  mistakes: Mistakes,
): void {
  const repeats = methodConfig.some((it) => it.retryPolicy ?? it.hedgingPolicy);
  if (repeats && channelOptions['grpc.enable_retries'] === 0) {
    mistakes.add('channelOptions', 'grpc.enable_retries is 0, so that no call would be retried');
  }
}
