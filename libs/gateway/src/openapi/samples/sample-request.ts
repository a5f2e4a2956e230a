import { JsonCodec, type ProtoRegistry } from '@apix/proto/core';
import { type Rules, messageRulesOf, rulesIn, rulesOf } from '@apix/proto/internal';
import type { DescField, DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
import type { RawBody } from '../../request/body.js';
import { readMessage } from '../../request/read-message.js';
import type { Binding } from '../../rules/binding.js';
import type { Parameter } from '../document.js';
import type { PathParameter } from '../paths.js';
import type { SampleValue } from './samples.js';

/** The samples of one request. */
export interface SampleRequest {
  readonly binding: Binding;
  /** Those of the path, in its order. */
  readonly places: readonly PathParameter[];
  readonly parameters: readonly Parameter[];
  readonly body: SampleValue;
}

/** Whether the server takes a request message. */
export type SampleCheck = (method: DescMethod, message: Message) => boolean;

/** Whether a request of samples keeps the rules that samples are not made for. */
// Why: docs/decisions/0325
export function isSampleTaken(
  sample: SampleRequest,
  protos: ProtoRegistry,
  accepts: SampleCheck | undefined,
): boolean {
  const { method } = sample.binding;
  if (!hasCel(protos, method.input)) return true;
  try {
    return accepts?.(method, sampleMessage(sample, protos)) ?? false;
  } catch {
    return false;
  }
}

/**
 * The message that a gateway reads from samples.
 *
 * @throws whatever keeps it from being read.
 */
function sampleMessage(sample: SampleRequest, { registry }: ProtoRegistry): Message {
  const { binding, places, parameters } = sample;
  const textOf = ({ name }: Pick<Parameter, 'name'>): string =>
    exampleText(parameters.find((parameter) => parameter.name === name));
  const segments = binding.template.segments.flatMap((segment, index) => {
    if (segment.kind === 'literal') return [segment.text];
    const place = places.find((one) => one.index === index);
    const text = place === undefined ? '-' : textOf(place);
    return (place?.rest ? text.split('/') : [text]).map(encodeURIComponent);
  });
  const query = sampleQuery(parameters);
  const bytes = Buffer.from(JSON.stringify(sample.body));
  const body: RawBody = { contentType: 'application/json', bytes };
  const rules = { json: new JsonCodec(registry), unknownFields: 'refuse', maxDepth: 100 } as const;
  return readMessage({ binding, segments, query }, body, false, rules);
}

/** A query of the parameters that have an example. */
export function sampleQuery(parameters: readonly Parameter[]): string {
  return parameters
    .filter((parameter) => parameter.in === 'query' && exampleOf(parameter) !== undefined)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(exampleText(parameter))}`)
    .join('&');
}

/** The example of a parameter as it is written in a path or a query. */
export function exampleText(parameter: Parameter | undefined): string {
  const example = exampleOf(parameter);
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function exampleOf(parameter: Parameter | undefined): unknown {
  if (parameter?.content === undefined) return parameter?.example;
  return Object.values(parameter.content)[0]?.example;
}

/** Whether a message, or one that it may hold, has rules in CEL, which no sample is made for. */
function hasCel(protos: ProtoRegistry, desc: DescMessage): boolean {
  const reached = new Set([desc]);
  for (const type of reached) {
    if (isCel(messageRulesOf(protos, type) ?? {})) return true;
    for (const field of type.fields) {
      if (fieldHasCel(protos, field)) return true;
      if (field.message !== undefined) reached.add(field.message);
    }
  }
  return false;
}

function fieldHasCel(protos: ProtoRegistry, field: DescField): boolean {
  const rules = rulesOf(protos, field) ?? {};
  const map = rulesIn(rules, 'map');
  const inside = [rulesIn(rulesIn(rules, 'repeated'), 'items'), rulesIn(map, 'keys')];
  return [rules, rulesIn(map, 'values'), ...inside].some(isCel);
}

function isCel(rules: Rules): boolean {
  return [rules['cel'], rules['celExpression']].flat().some((rule) => rule !== undefined);
}
