import type { HttpMetrics } from '../metrics/http-metrics.js';
import type { HttpTracingSettings } from './http-tracing-options.js';
import type { KnownProbes } from './known-probes.js';

/** What the spans of one entry point share. */
export interface HttpTracingParts {
  readonly settings: HttpTracingSettings;
  /** Undefined if nothing records them. */
  readonly metrics: HttpMetrics | undefined;
  readonly probes: KnownProbes;
}
