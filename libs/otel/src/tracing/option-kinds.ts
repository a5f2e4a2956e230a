import { choice, objectWith, type Option, parsedOption } from '@apix/contracts/internal';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';

/** How a span relates to the trace of its caller. */
export const INCOMING = choice(['parent', 'link', 'ignore']);

export const METER_PROVIDER = objectWith<MeterProvider>('a meter provider', 'getMeter');

export const TRACER_PROVIDER = objectWith<TracerProvider>('a tracer provider', 'getTracer');

/** The name of an app. */
export const SERVICE_NAME: Option<string> = parsedOption((value) => {
  if (typeof value === 'string' && /\S/.test(value)) return value;
  throw new Error('must not be empty');
});
