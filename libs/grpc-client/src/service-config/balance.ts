import { type Duration, type Mistakes, thrownText } from '@apix/contracts';
import {
  choice,
  duration,
  finiteNumber,
  isRecord,
  option,
  type OptionTable,
  type ReadOptions,
  readOptions,
  section,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
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

const POLICY = choice(['pick_first', 'round_robin']);
const TIME = duration({ min: 1 });
const PERCENT = finiteNumber({ min: 0, max: 100 });
const AT_LEAST_ONE = wholeNumber({ min: 1 });

const evidence = (minCalls: number) =>
  ({
    minHosts: withDefault(AT_LEAST_ONE, 5),
    minCalls: withDefault(AT_LEAST_ONE, minCalls),
  }) satisfies OptionTable<OutlierEvidence>;

const OUTLIER_OPTIONS = {
  interval: withDefault(TIME, 10_000),
  baseEjectionTime: withDefault(TIME, 30_000),
  maxEjectionTime: withDefault(TIME, 300_000),
  maxEjectionPercent: withDefault(PERCENT, 10),
  failures: section({
    percent: withDefault(PERCENT, 85),
    ...evidence(50),
  } satisfies OptionTable<FailureShare>),
  successRate: section({
    deviations: withDefault(finiteNumber({ min: 0 }), 1.9),
    ...evidence(100),
  } satisfies OptionTable<SuccessSpread>),
} satisfies OptionTable<OutlierOptions>;

const BALANCE_OPTIONS = {
  policy: withDefault(POLICY, 'round_robin'),
  outlierDetection: section(OUTLIER_OPTIONS),
} satisfies OptionTable<BalanceOptions>;

const NEITHER = option<never>('"pick_first", "round_robin" or an object', () => false);

/** The part of a service config. Notes every mistake. */
export function balanceConfig(
  given: BalancePolicy | BalanceOptions,
  mistakes: Mistakes,
): LoadBalancingConfig {
  if (!isRecord(given)) {
    const policy = (typeof given === 'string' ? POLICY : NEITHER).read(given, 'balance', mistakes);
    return policy === undefined ? {} : { [policy]: {} };
  }
  const { policy, outlierDetection } = readOptions(BALANCE_OPTIONS, given, 'balance', mistakes);
  const child = { [policy]: {} };
  if (outlierDetection === undefined) return child;
  if (policy === 'pick_first') {
    mistakes.add(
      'balance.outlierDetection',
      'needs the policy round_robin; with pick_first there is one address to compare',
    );
    return child;
  }
  if (outlierDetection.failures === undefined && outlierDetection.successRate === undefined) {
    mistakes.add(
      'balance.outlierDetection',
      'set failures or successRate; without one nothing is compared',
    );
  }
  const config = outlierConfig(outlierDetection, child);
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

function outlierConfig(
  { failures, successRate, ...read }: ReadOptions<typeof OUTLIER_OPTIONS>,
  child: LoadBalancingConfig,
): LoadBalancingConfig {
  const evidenceOf = ({ minHosts, minCalls }: Readonly<Record<keyof OutlierEvidence, number>>) => ({
    minimum_hosts: minHosts,
    request_volume: minCalls,
  });
  return {
    outlier_detection: {
      interval: durationParts(read.interval),
      base_ejection_time: durationParts(read.baseEjectionTime),
      max_ejection_time: durationParts(read.maxEjectionTime),
      max_ejection_percent: read.maxEjectionPercent,
      ...(failures !== undefined && {
        failure_percentage_ejection: { threshold: failures.percent, ...evidenceOf(failures) },
      }),
      ...(successRate !== undefined && {
        success_rate_ejection: {
          // In thousandths, as Envoy has it.
          stdev_factor: 1_000 * successRate.deviations,
          ...evidenceOf(successRate),
        },
      }),
      child_policy: [child],
    },
  };
}
