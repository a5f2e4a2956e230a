import type { SampleCall } from '@apix/contracts/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';
import type { TranscodingOptions } from '../../options.js';
import { isHttpBody } from '../../request/body.js';
import {
  type Binding,
  boundNames,
  namesBelow,
  oneofRivals,
  takesRequestStream,
} from '../../rules/binding.js';
import { jsonStyleOf } from '../declarations.js';
import type { Parameter } from '../document.js';
import type { OtherProtocols } from '../other-protocols.js';
import { pathParameter, queryParameters } from '../parameters.js';
import { openApiPath } from '../paths.js';
import { Schemas } from '../schemas.js';
import { exampleText, sampleQuery } from './sample-request.js';
import { type SampleValue, Samples } from './samples.js';

/** What sample calls are made from. */
export interface SampledGateway extends OtherProtocols {
  readonly bindings: readonly Binding[];
  /** The prefix of a rule's path. */
  readonly prefixOf: (binding: Binding) => string;
}

/** The protocols besides REST that a browser speaks. */
const OF_BROWSERS = ['connect', 'grpc-web'] as const;

/**
 * A request for each way in which a browser can call a method: its rules, first, and the protocols that take it by its
 * name. A method with a stream of requests has no way by a rule, which takes a WebSocket.
 */
export function sampleCalls(
  method: DescMethod,
  gateway: SampledGateway,
  protos: ProtoRegistry,
  transcoding: TranscodingOptions,
): SampleCall[] {
  const style = jsonStyleOf(transcoding);
  const samples = new Samples(protos, style, 'request');
  const rest = gateway.bindings
    .filter((binding) => binding.method === method && !takesRequestStream(binding))
    .map((binding): SampleCall => {
      const context = { protos, samples, schemas: new Schemas(protos, style) };
      const hasBody = binding.body.kind !== 'none';
      const { httpMethod } = binding;
      return {
        protocol: 'rest',
        httpMethod: httpMethod !== '*' ? httpMethod : hasBody ? 'POST' : 'GET',
        target: gateway.prefixOf(binding) + sampleTarget(binding, context),
        body: hasBody ? (sampleBody(binding, samples) ?? {}) : undefined,
      };
    });
  if (!gateway.methods.includes(method)) return rest;
  const target = gateway.pathOf(`/${method.parent.typeName}/${method.name}`);
  const body = samples.ofMessage(method.input) ?? {};
  const byName = OF_BROWSERS.filter((name) => gateway.protocols.has(name)).map(
    (protocol): SampleCall => ({ protocol, httpMethod: 'POST', target, body }),
  );
  return [...rest, ...byName];
}

/** The body of a rule's request; undefined if no sample fits, or it has none, or is of any type. */
export function sampleBody(binding: Binding, samples: Samples): SampleValue | undefined {
  const { body, method } = binding;
  if (body.kind === 'none') return undefined;
  if (isHttpBody(body.kind === 'whole' ? method.input : body.field.message)) return undefined;
  const given = new Set([...boundNames(binding), ...oneofRivals(binding)]);
  return body.kind === 'whole'
    ? samples.ofMessage(method.input, given)
    : samples.ofField(body.field, namesBelow(given, body.field.name));
}

/** Path and query of a rule's request, with what must be given. */
function sampleTarget(binding: Binding, context: Parameters<typeof pathParameter>[2]): string {
  const nameOf = ({ fields }: Binding['variables'][number]): string =>
    fields.map((field) => context.schemas.nameOf(field)).join('.');
  const { path, parameters } = openApiPath(binding, nameOf);
  const places = new Map(
    parameters.map((place) => [place.name, pathParameter(place, binding, context)]),
  );
  const written = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => inPath(places.get(name)!));
  const query = sampleQuery(queryParameters(binding, context));
  return query === '' ? written : `${written}?${query}`;
}

function inPath(parameter: Parameter): string {
  const text = exampleText(parameter);
  if (parameter['x-several-segments'] !== true) return encodeURIComponent(text);
  return text.split('/').map(encodeURIComponent).join('/');
}
