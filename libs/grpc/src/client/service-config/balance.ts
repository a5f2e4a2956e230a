import { type Duration, type Mistakes, shownValue, thrownText } from '@apix/contracts';
import { type LoadBalancingConfig, experimental } from '@grpc/grpc-js';
import { durationParts } from './duration-text.js';

/** How the calls of a channel are spread over the addresses of its endpoint. */
export interface BalanceOptions {
  /**
   * `pick_first`: all calls go to the first address that answers; `round_robin`: to all addresses in
   * turn. Default: 'round_robin'.
   */
  readonly policy?: BalancePolicy | undefined;
  /**
   * Temporarily excludes addresses that fail more than others (gRFC A50). Needs round_robin. Default: none.
   */
  readonly outlierDetection?: OutlierOptions | undefined;
}

/** Policies of grpc-js. */
export type BalancePolicy = 'pick_first' | 'round_robin';

/** Which addresses are left out, and for how long. At least one of `failures` and `successRate` is set. */
export interface OutlierOptions {
  /** How often addresses are compared. Default: '10s'. */
  readonly interval?: Duration | undefined;
  /** How long an address is left out the first time; each further time adds as much. Default: '30s'. */
  readonly baseEjectionTime?: Duration | undefined;
  /** How long an address is left out at most. Default: '5m'. */
  readonly maxEjectionTime?: Duration | undefined;
  /** How many per cent of the addresses may be left out; one may always be. Default: 10. */
  readonly maxEjectionPercent?: number | undefined;
  /** Excludes addresses that fail more than `percent` of their calls. Default: none. */
  readonly failures?: FailureShare | undefined;
  /** Excludes addresses whose rate of success is far below the average. Default: none. */
  readonly successRate?: SuccessSpread | undefined;
}

/** The minimum sample for both comparisons, so that chance does not decide. */
export interface OutlierEvidence {
  /** Addresses that had enough calls. Default: 5. */
  readonly minHosts?: number | undefined;
  /** Calls of an address within an interval. Default: 50 for `failures`, 100 for `successRate`. */
  readonly minCalls?: number | undefined;
}

/** An address that fails more than so much. */
export interface FailureShare extends OutlierEvidence {
  /** Default: 85. */
  readonly percent?: number | undefined;
}

/** An address that succeeds less than the average by so much. */
export interface SuccessSpread extends OutlierEvidence {
  /** In standard deviations. Default: 1.9. */
  readonly deviations?: number | undefined;
}

/** The part of a service config. Notes every mistake. */
export function balanceConfig(
  given: BalancePolicy | BalanceOptions,
  mistakes: Mistakes,
): LoadBalancingConfig {
  if (typeof given === 'string') return policyConfig('balance', given, mistakes);
  if (typeof given !== 'object' || given === null) {
    mistakes.add(
      'balance',
      `must be "pick_first", "round_robin" or an object, not ${shownValue(given)}`,
    );
    return {};
  }
  const { policy = 'round_robin', outlierDetection } = given;
  const child = policyConfig('balance.policy', policy, mistakes);
  if (outlierDetection === undefined) return child;
  if (policy === 'pick_first') {
    mistakes.add(
      'balance.outlierDetection',
      'needs the policy round_robin; with pick_first there is one address to compare',
    );
    return child;
  }
  const config = outlierConfig('balance.outlierDetection', outlierDetection, child, mistakes);
  checkSupported('balance', config, mistakes);
  return config;
}

/** Records a policy that grpc-js does not know; it would silently use pick_first. */
export function checkSupported(
  where: string,
  config: LoadBalancingConfig,
  mistakes: Mistakes,
): void {
  try {
    experimental.parseLoadBalancingConfig(config);
  } catch (error) {
    mistakes.add(where, `grpc-js cannot use it: ${thrownText(error)}`);
  }
}

function policyConfig(
  where: string,
  policy: BalancePolicy,
  mistakes: Mistakes,
): LoadBalancingConfig {
  return { [mistakes.choice(where, policy, ['pick_first', 'round_robin'])]: {} };
}

function outlierConfig(
  where: string,
  given: OutlierOptions,
  child: LoadBalancingConfig,
  mistakes: Mistakes,
): LoadBalancingConfig {
  const { interval = '10s', baseEjectionTime = '30s', maxEjectionTime = '5m' } = given;
  const { maxEjectionPercent = 10, failures, successRate } = given;
  if (failures === undefined && successRate === undefined) {
    mistakes.add(where, 'set failures or successRate; without one nothing is compared');
  }
  const time = (name: string, value: Duration): object =>
    durationParts(mistakes.duration(`${where}.${name}`, value, { min: 1 }));
  const percent = { min: 0, max: 100 };
  const evidence = (
    name: string,
    least: number,
    { minHosts = 5, minCalls = least }: OutlierEvidence,
  ) => ({
    minimum_hosts: mistakes.count(`${where}.${name}.minHosts`, minHosts, { min: 1 }),
    request_volume: mistakes.count(`${where}.${name}.minCalls`, minCalls, { min: 1 }),
  });
  return {
    outlier_detection: {
      interval: time('interval', interval),
      base_ejection_time: time('baseEjectionTime', baseEjectionTime),
      max_ejection_time: time('maxEjectionTime', maxEjectionTime),
      max_ejection_percent: mistakes.number(
        `${where}.maxEjectionPercent`,
        maxEjectionPercent,
        percent,
      ),
      ...(failures !== undefined && {
        failure_percentage_ejection: {
          threshold: mistakes.number(`${where}.failures.percent`, failures.percent ?? 85, percent),
          ...evidence('failures', 50, failures),
        },
      }),
      ...(successRate !== undefined && {
        success_rate_ejection: {
          // In thousandths, as Envoy has it.
          stdev_factor:
            1_000 *
            mistakes.number(`${where}.successRate.deviations`, successRate.deviations ?? 1.9, {
              min: 0,
            }),
          ...evidence('successRate', 100, successRate),
        },
      }),
      child_policy: [child],
    },
  };
}
