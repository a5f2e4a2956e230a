import { TracingSetupError } from './tracing-setup-error.js';

/**
 * The packages of OpenTelemetry that an own provider is made of.
 *
 * @throws TracingSetupError where one is not installed.
 */
export async function loadSdk() {
  // A bundler that does not find a package leaves an import that is caught alone.
  const [sdk, hooks, core, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace').catch(notInstalled),
    import('@opentelemetry/context-async-hooks').catch(notInstalled),
    import('@opentelemetry/core').catch(notInstalled),
    import('@opentelemetry/resources').catch(notInstalled),
  ]);
  return { sdk, hooks, core, resources };
}

/** @internal */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

function notInstalled(cause: unknown): never {
  throw new TracingSetupError(
    'otel: exporter needs the SDK of OpenTelemetry; run npm install @opentelemetry/sdk-trace ' +
      '@opentelemetry/context-async-hooks @opentelemetry/core @opentelemetry/resources',
    { cause },
  );
}
