import type { OtelLoggerProvider } from '../config/otel-config.js';

/**
 * Where the two major versions of OpenTelemetry keep the provider that the app has registered:
 * `@opentelemetry/api-logs` (2.x) and `@opentelemetry/api` 1.10 (3.x). They are symbols of the global
 * registry so that separate copies of the packages find each other.
 */
const OF_API_LOGS = Symbol.for('io.opentelemetry.js.api.logs');
const OF_API = Symbol.for('opentelemetry.js.api.1');

interface Registry {
  /** The number is the version of the protocol. */
  readonly [OF_API_LOGS]?: (version: number) => OtelLoggerProvider;
  readonly [OF_API]?: { readonly logs?: OtelLoggerProvider };
}

/** The global provider; undefined as long as none is registered. */
export function globalProvider(): OtelLoggerProvider | undefined {
  const registry = globalThis as Registry;
  // Why: docs/decisions/0077
  return registry[OF_API_LOGS]?.(1) ?? registry[OF_API]?.logs;
}
