import { ownProcessMark, shownValue } from '@apix/contracts';
import type { TextMapPropagator } from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { BatchSpanProcessorOptions, Sampler, SpanLimits } from '@opentelemetry/sdk-trace';
import type { Sdk } from './sdk.js';

/** Of this process. */
const INSTANCE = crypto.randomUUID();

type BatchLimits = Omit<BatchSpanProcessorOptions, 'exporter' | 'selfObsMeterProvider'>;

/** As the specification has it: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables. */
const BATCHES: readonly (readonly [keyof BatchLimits, string, number])[] = [
  ['scheduledDelayMillis', 'OTEL_BSP_SCHEDULE_DELAY', 0],
  ['exportTimeoutMillis', 'OTEL_BSP_EXPORT_TIMEOUT', 1],
  ['maxQueueSize', 'OTEL_BSP_MAX_QUEUE_SIZE', 1],
  ['maxExportBatchSize', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1],
];

/** The later of two that are set counts. */
const LIMITS: readonly (readonly [keyof SpanLimits, string, number])[] = [
  ['attributeCountLimit', 'OTEL_ATTRIBUTE_COUNT_LIMIT', 0],
  ['attributeCountLimit', 'OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 0],
  ['attributeValueLengthLimit', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', 0],
  ['attributeValueLengthLimit', 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 0],
  ['eventCountLimit', 'OTEL_SPAN_EVENT_COUNT_LIMIT', 0],
  ['linkCountLimit', 'OTEL_SPAN_LINK_COUNT_LIMIT', 0],
  ['attributePerEventCountLimit', 'OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT', 0],
  ['attributePerLinkCountLimit', 'OTEL_LINK_ATTRIBUTE_COUNT_LIMIT', 0],
];

const ROOTS = ['always_on', 'always_off', 'traceidratio'];
const SAMPLERS = [...ROOTS, ...ROOTS.map((root) => `parentbased_${root}`)];

/**
 * The settings of an own provider from the environment, which the SDK itself does not read. An unusable
 * value is reported and has no effect, as the specification requires.
 */
// Why: docs/decisions/0264
export class OtelEnvironment {
  constructor(
    private readonly report: (problem: string) => void,
    private readonly variables: NodeJS.ProcessEnv = process.env,
  ) {}

  /** OTEL_SDK_DISABLED. Any value but `true` has no effect. */
  get isDisabled(): boolean {
    return this.#text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  }

  /** OTEL_BSP_*, as options of the batches. */
  batches(): BatchLimits {
    return Object.fromEntries(this.#numbers(BATCHES));
  }

  /** How much of a span is kept. */
  limits(): SpanLimits {
    return Object.fromEntries(this.#numbers(LIMITS));
  }

  /** OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG; undefined where they say nothing. */
  sampler({ sdk }: Pick<Sdk, 'sdk'>): Sampler | undefined {
    const name = this.#text('OTEL_TRACES_SAMPLER');
    if (name === undefined) return undefined;
    if (!SAMPLERS.includes(name)) {
      this.#ignore('OTEL_TRACES_SAMPLER', name, `is not one of ${SAMPLERS.join(', ')}`);
      return undefined;
    }
    const root = this.#rootSampler(sdk, name.replace('parentbased_', ''));
    return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
  }

  /** OTEL_PROPAGATORS. Default: `tracecontext,baggage`. */
  propagators({ core }: Pick<Sdk, 'core'>): TextMapPropagator[] {
    const names = new Set(
      (this.#text('OTEL_PROPAGATORS') ?? 'tracecontext,baggage')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    );
    const found: TextMapPropagator[] = [];
    for (const name of names) {
      if (name === 'tracecontext') found.push(new core.W3CTraceContextPropagator());
      else if (name === 'baggage') found.push(new core.W3CBaggagePropagator());
      else if (name !== 'none') {
        const remedy = 'is not tracecontext, baggage or none; register a propagator of your own';
        this.#ignore('OTEL_PROPAGATORS', name, remedy);
      }
    }
    return names.has('none') ? [] : found;
  }

  #rootSampler(sdk: Sdk['sdk'], name: string): Sampler {
    if (name === 'always_on') return new sdk.AlwaysOnSampler();
    if (name === 'always_off') return new sdk.AlwaysOffSampler();
    const [ratio] = this.#numbers([['ratio', 'OTEL_TRACES_SAMPLER_ARG', 0]], 1);
    return new sdk.TraceIdRatioBasedSampler(ratio?.[1] ?? 1);
  }

  #numbers<Name extends string>(
    table: readonly (readonly [Name, string, number])[],
    max = Infinity,
  ): [Name, number][] {
    return table.flatMap(([name, variable, min]): [Name, number][] => {
      const text = this.#text(variable);
      if (text === undefined) return [];
      const value = /^\d+$/.test(text) || max === 1 ? Number(text) : NaN;
      if (value >= min && value <= max) return [[name, value]];
      const range = max === Infinity ? `an integer from ${min}` : `a number from ${min} to ${max}`;
      this.#ignore(variable, text, `is not ${range}`);
      return [];
    });
  }

  /** Undefined where it is empty, too. */
  #text(variable: string): string | undefined {
    return this.variables[variable]?.trim() || undefined;
  }

  #ignore(variable: string, value: string, why: string): void {
    this.report(`otel: ${variable}: ${shownValue(value)} ${why}; it has no effect`);
  }
}

/**
 * The resource of the SDK, with OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, which the SDK itself does not read;
 * then what was given.
 */
export function environmentResource(given?: Resource, serviceName?: string): Resource {
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  const mark = ownProcessMark();
  // Which of several processes it is, as in events of the log. They must not be taken for one instance.
  const own =
    mark === null
      ? {}
      : {
          'process.index': mark.index,
          'process.pid': process.pid,
          'service.instance.id': INSTANCE,
        };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(given ?? null)
    .merge(resourceFromAttributes(named));
}
