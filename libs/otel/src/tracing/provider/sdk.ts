import { TracingSetupError } from '../../errors.js';

/** The packages of OpenTelemetry that an own provider is made of. */
export interface Sdk {
  readonly sdk: typeof import('@opentelemetry/sdk-trace');
  readonly hooks: typeof import('@opentelemetry/context-async-hooks');
  readonly core: typeof import('@opentelemetry/core');
}

/**
 * Loads them.
 *
 * @throws TracingSetupError where one is not installed.
 */
export async function loadSdk(): Promise<Sdk> {
  // A bundler that does not find a package leaves an import that is caught alone.
  const [sdk, hooks, core] = await Promise.all([
    import('@opentelemetry/sdk-trace').catch(notInstalled),
    import('@opentelemetry/context-async-hooks').catch(notInstalled),
    import('@opentelemetry/core').catch(notInstalled),
  ]);
  return { sdk, hooks, core };
}

function notInstalled(cause: unknown): never {
  throw new TracingSetupError(
    'otel: exporter, processors and recent need the SDK of OpenTelemetry; run npm install @opentelemetry/sdk-trace ' +
      '@opentelemetry/context-async-hooks @opentelemetry/core @opentelemetry/resources',
    { cause },
  );
}
