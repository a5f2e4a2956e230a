import type { LeftOutCount, LeftOutRequests, SampledDoor } from './left-out-requests.js';
import type { RequestRecord } from './request-record.js';
import type { SampleSettings } from './request-sample.js';

/** A successful request whose event would be written. */
export interface SampledRequest {
  readonly record: RequestRecord;
  /** `Class.method`, or the full name of the RPC. */
  readonly handler: string | undefined;
  /** The pattern of its route, read only if it matters: a framework may take its time to find it. */
  readonly route: () => string | undefined;
  readonly durationMs: number;
  /** Whether the caller determines the duration. */
  readonly isStream: () => boolean;
}

/** Of an id of a trace, the 48 leading ones of those bits that are random (W3C Trace Context, level 2). */
const RANDOM_BEGIN = 18;
const RANDOM_END = 30;
const RANDOM_VALUES = 2 ** 48;

/** Chooses which events of successful requests are written. */
// Why: docs/decisions/0311
export class RequestSampler {
  /** Whether all such events are written, unless a decorator sets another number. */
  readonly isIdle: boolean;
  readonly #counts = new Map<string, LeftOutCount>();

  constructor(
    private readonly door: SampledDoor,
    private readonly settings: SampleSettings,
    private readonly leftOut: LeftOutRequests,
  ) {
    this.isIdle = settings.every === 1 && settings.routes.size === 0;
  }

  /**
   * How many requests the event represents, itself included; 0 if it is left out, and undefined if all such
   * events are written.
   */
  standsFor(request: SampledRequest): number | undefined {
    const every = this.#everyOf(request);
    if (every === 1) return undefined;
    const { handler, route } = request;
    const count = this.#countOf(handler ?? route() ?? '');
    if (!this.#isChosen(request, every, count)) {
      count.total++;
      count.pending++;
      return 0;
    }
    const requests = count.pending + 1;
    count.pending = 0;
    return requests;
  }

  #everyOf({ record, handler, route }: SampledRequest): number {
    const { every, routes } = this.settings;
    const named =
      routes.size === 0 ? undefined : (routes.get(handler ?? '') ?? routes.get(route() ?? ''));
    return named ?? record.routeSample ?? every;
  }

  #isChosen(
    { record, durationMs, isStream }: SampledRequest,
    every: number,
    count: LeftOutCount,
  ): boolean {
    if (durationMs > this.settings.slowMs && !isStream()) return true;
    const { traceId } = record;
    if (traceId !== undefined) return isChosenTrace(traceId, every);
    // The first event is written, so that a handler is seen immediately.
    const isChosen = count.toSkip === 0;
    count.toSkip = isChosen ? every - 1 : count.toSkip - 1;
    return isChosen;
  }

  #countOf(handler: string): LeftOutCount {
    const known = this.#counts.get(handler);
    if (known !== undefined) return known;
    const count = this.leftOut.of(this.door, handler);
    this.#counts.set(handler, count);
    return count;
  }
}

/**
 * By the bits of a trace's id that are random, as samplers of OpenTelemetry decide where they are consistent: each
 * service that writes one of as many, or of fewer, writes the event of its part of the same traces.
 */
function isChosenTrace(traceId: string, every: number): boolean {
  const random = Number.parseInt(traceId.slice(RANDOM_BEGIN, RANDOM_END), 16);
  return random >= RANDOM_VALUES - RANDOM_VALUES / every;
}
