import { markClass } from '../brand.js';
import type { MethodKind } from './call-context.js';

/** Offered by the gateway; read by the host page. */
export const METHOD_SAMPLES = Symbol.for('apix.MethodSamples');

/** A method that is served to browsers. */
export interface SampledMethod {
  /** As `/pkg.Service/Method`. */
  readonly method: string;
  readonly kind: MethodKind;
}

/** A request that calls a method, with values that its rules accept as far as they are known. */
export interface SampleCall {
  readonly protocol: 'rest' | 'connect' | 'grpc-web';
  /** Such as `POST`. */
  readonly httpMethod: string;
  /** Path and query at the app's own HTTP server, prefixes included. */
  readonly target: string;
  /** A JSON value: the body of REST, the first message of the others; undefined without a body. */
  readonly body: unknown;
}

/** The methods that an app serves from its HTTP server, with a request for each way to call them. */
export interface MethodSamples {
  readonly [METHOD_SAMPLES]?: true;
  /** In the order of the descriptors; empty if they are served elsewhere. */
  methods(): readonly SampledMethod[];
  /** The ways to call a method; empty for one that is not known. */
  samplesOf(fullMethodName: string): readonly SampleCall[];
}

/** Marks a provider of sample requests for the host page. The same as a property `[METHOD_SAMPLES] = true`. */
export function MethodSamples(): ClassDecorator {
  return markClass(METHOD_SAMPLES);
}
