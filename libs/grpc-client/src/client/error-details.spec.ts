import { Code, StatusError } from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import { create } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { detailsOf } from './error-details.js';

const typeUrl = 'type.googleapis.com/google.protobuf.Duration';
const value = wireCodec(DurationSchema).encode(create(DurationSchema, { seconds: 7n }));

describe('the details of an error', () => {
  it('are those of the type that is asked for', () => {
    const error = new StatusError(Code.UNAVAILABLE, 'later', { details: [{ typeUrl, value }] });
    expect(detailsOf(error, DurationSchema).map(({ seconds }) => seconds)).toEqual([7n]);
    expect(detailsOf(error, TimestampSchema)).toEqual([]);
  });

  it('are none where they cannot be read, or the error is of another kind', () => {
    const details = [{ typeUrl, value: Buffer.from([0xff]) }];
    expect(detailsOf(new StatusError(Code.INTERNAL, '', { details }), DurationSchema)).toEqual([]);
    expect(detailsOf(new Error('no'), DurationSchema)).toEqual([]);
  });
});
