import { inspect } from 'node:util';
import { Code, StatusError } from '@apix/contracts';
import { JsonCodec, ProtoRegistry } from '@apix/proto/core';
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema, anyPack } from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { secretProtos } from '../../../../tools/testing/secret-protos.js';
import { HttpRefusal } from '../errors.js';
import { type ParameterOptions, applyParameters } from '../request/query.js';
import { applyPath } from '../request/path.js';
import type { Binding } from '../rules/binding.js';
import { compileServices } from '../rules/compile-services.js';
import { errorBody } from '../http/answer.js';
import type { ErrorFormat } from '../options.js';

let protos: ProtoRegistry;
let json: JsonCodec;
let binding: Binding;
beforeAll(() => {
  protos = ProtoRegistry.load(secretProtos());
  json = new JsonCodec(protos.registry);
  const rule = { selector: 'test.Logins.Enter', get: '/v1/{attempts}/{user}' };
  binding = compileServices(protos.services, [rule]).bindings[0]!;
});

const OPTIONS: ParameterOptions = {
  unknownFields: 'refuse',
  noun: 'query parameter',
  maxDepth: 10,
};

function thrownBy(run: () => unknown): HttpRefusal {
  try {
    run();
  } catch (error) {
    return error as HttpRefusal;
  }
  throw new Error('nothing was thrown');
}

describe('an error about a field with debug_redact', () => {
  it.each(['kind', 'big'])('does not repeat the value of the parameter %s', (name) => {
    const error = thrownBy(() =>
      applyParameters(binding, [[name, 'hunter2']], create(binding.method.input), OPTIONS),
    );
    expect(error.status.message).toBe(
      `query parameter "${name}" has not a valid value, which is not shown because of debug_redact or visible`,
    );
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
  });

  it.each([
    [['hunter2', 'ada'], /attempts.*not shown because of debug_redact or visible/],
    [['hunter2%', 'ada'], /^path: malformed escape$/],
  ])('does not repeat the value of a path variable: %j', (segments, text) => {
    const error = thrownBy(() => applyPath(binding, segments, create(binding.method.input)));
    expect(error.status.message).toMatch(text);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
  });
});

describe('the details of an error', () => {
  it.each<ErrorFormat>(['problem', 'status'])('are shown without such values in a %s', (format) => {
    const type = (name: string) => protos.registry.getMessage(`test.${name}`)!;
    const card = create(type('Card'), { number: 'hunter2', holder: 'Ada' });
    const any = toBinary(AnySchema, anyPack(type('Card'), card));
    const details = [
      { typeUrl: 'type.googleapis.com/test.Card', value: toBinary(type('Card'), card) },
      { typeUrl: 'type.googleapis.com/google.protobuf.Any', value: any },
      { typeUrl: 'type.googleapis.com/test.Unknown', value: Buffer.from('hunter2') },
    ];
    const error = new StatusError(Code.ABORTED, 'declined', { details });
    const { bytes } = errorBody(new HttpRefusal(error), format, json);
    const text = Buffer.from(bytes).toString();
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(Buffer.from('hunter2').toString('base64'));
    expect((JSON.parse(text) as { details: unknown }).details).toEqual([
      { '@type': 'type.googleapis.com/test.Card', number: '[REDACTED]', holder: 'Ada' },
      {
        '@type': 'type.googleapis.com/google.protobuf.Any',
        value: { '@type': 'type.googleapis.com/test.Card', number: '[REDACTED]', holder: 'Ada' },
      },
      { '@type': 'type.googleapis.com/test.Unknown', value: '[REDACTED]' },
    ]);
  });
});
