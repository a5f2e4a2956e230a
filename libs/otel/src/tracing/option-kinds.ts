import { choice, objectWith } from '@apix/contracts/options';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';

/** How a span relates to the trace of its caller. */
export const INCOMING = choice(['parent', 'link', 'ignore']);

export const METER_PROVIDER = objectWith<MeterProvider>('a meter provider', 'getMeter');

export const TRACER_PROVIDER = objectWith<TracerProvider>('a tracer provider', 'getTracer');
