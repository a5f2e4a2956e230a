import { encodeBadRequest } from '@apix/calls';
import { Code, StatusError } from '@apix/contracts';
import { JsonCodec } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { HttpRefusal } from '../errors.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { errorBody } from '../http/answer.js';
import { describeErrors } from './errors.js';

const { registry } = transcodingRegistry();

/** An error as it is sent, with everything that one can have. */
function sent(format: 'problem' | 'status'): Record<string, unknown> {
  const field = { field: 'a', description: 'too long', reason: 'max_len' };
  const other = { typeUrl: 'type.googleapis.com/x.Y', value: new Uint8Array([1]) };
  const details = [encodeBadRequest([field]), other];
  const refusal = new HttpRefusal(new StatusError(Code.INVALID_ARGUMENT, 'no', { details }));
  const { bytes } = errorBody(refusal, format, new JsonCodec(registry));
  return JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
}

/** Every value that the one given becomes when one of its members, at any depth, is of another type. */
function bent(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [{ not: 'this' }];
  return Object.keys(value).flatMap((key) =>
    bent(Reflect.get(value, key)).map((other) =>
      Array.isArray(value)
        ? value.map((each: unknown, at) => (String(at) === key ? other : each))
        : { ...value, [key]: other },
    ),
  );
}

describe.each(['problem', 'status'] as const)('the schema of errors in the form "%s"', (format) => {
  const ajv = new Ajv2020({ strict: true, formats: { 'uri-reference': true } });
  const fits = ajv.compile(describeErrors(format).schema);

  it('is that of what is sent', () => {
    expect(fits(sent(format))).toBe(true);
  });

  it('fits the example of a response', () => {
    const error = new StatusError(Code.PERMISSION_DENIED, 'permission denied');
    const { content } = describeErrors(format).response('Refused.', error) as {
      content: Record<string, { example: unknown }>;
    };
    const [{ example } = { example: undefined }] = Object.values(content);
    expect(fits(example)).toBe(true);
    expect(example).toMatchObject(
      format === 'problem'
        ? { title: 'Forbidden', status: 403, detail: 'permission denied' }
        : { code: 7, message: 'permission denied' },
    );
  });

  it('says of each member what it is', () => {
    const { code, ...rest } = sent(format);
    const withoutBytes = JSON.parse(
      JSON.stringify({ code, ...rest }, (key, value: unknown) =>
        key === 'value' ? undefined : value,
      ),
    ) as unknown;
    expect(bent(withoutBytes).filter((body) => fits(body))).toEqual([]);
  });

  it('asks for what is always there', () => {
    const least = errorBody(
      new HttpRefusal(new StatusError(Code.NOT_FOUND, 'no')),
      format,
      new JsonCodec(registry),
    );
    const body = JSON.parse(Buffer.from(least.bytes).toString()) as Record<string, unknown>;
    expect(fits(body)).toBe(true);
    const without = Object.keys(body).map((key) => ({ ...body, [key]: undefined }));
    const left = without.map((each) => JSON.parse(JSON.stringify(each)) as unknown);
    expect(left.filter((each) => fits(each))).toEqual([]);
  });
});

it('the schema of a problem asks for field and detail of each of its errors', () => {
  const ajv = new Ajv2020({ strict: true, formats: { 'uri-reference': true } });
  const fits = ajv.compile(describeErrors('problem').schema);
  const problem = { type: 'about:blank', title: 'no', status: 400, detail: 'no', code: 'X' };
  const error = { field: 'a', detail: 'too long' };
  const rated = [error, { detail: 'too long' }, { field: 'a' }].map((each) =>
    fits({ ...problem, errors: [each] }),
  );
  expect(rated).toEqual([true, false, false]);
});
