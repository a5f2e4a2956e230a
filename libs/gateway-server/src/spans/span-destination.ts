import { shownValue } from '@apix/contracts';

/** Where spans go according to the environment: by OTLP or nowhere, with the requests that are not supported. */
export interface SpanDestination {
  readonly isOtlp: boolean;
  /** Each problem names its variable and says what to do. */
  readonly problems: readonly string[];
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];

/** The only protocol with an exporter here; also the default of OpenTelemetry. */
const PROTOCOL = 'http/protobuf';

/**
 * Reads the OpenTelemetry variables that determine whether spans are exported
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables). They are
 * exported if an endpoint is set or OTEL_TRACES_EXPORTER is `otlp`, and never by default.
 */
// Why: docs/decisions/0316
export function spanDestination(env: NodeJS.ProcessEnv): SpanDestination {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const named = (names: readonly string[]): string | undefined =>
    names.find((name) => text(name) !== undefined);
  const isDisabled = text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  const exporter =
    text('OTEL_TRACES_EXPORTER') ?? (named(ENDPOINTS) === undefined ? 'none' : 'otlp');
  if (isDisabled || exporter === 'none') return { isOtlp: false, problems: [] };
  const problems: string[] = [];
  if (exporter !== 'otlp') {
    problems.push(
      `OTEL_TRACES_EXPORTER: ${shownValue(exporter)} is not supported; use otlp or none`,
    );
  }
  const variable = named(PROTOCOLS);
  const protocol = variable === undefined ? PROTOCOL : text(variable);
  if (protocol !== PROTOCOL) {
    problems.push(`${variable}: ${shownValue(protocol)} is not supported; use ${PROTOCOL}`);
  }
  return { isOtlp: problems.length === 0, problems };
}
