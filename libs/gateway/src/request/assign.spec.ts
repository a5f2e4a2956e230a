import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { assignField } from './fields.js';
import { valueIn } from '@apix/proto/internal';

const { registry } = transcodingRegistry();
const desc = registry.getMessage('transcoding.v1.Everything')!;
const field = (name: string) => desc.field[name]!;

describe('a field of a message', () => {
  it('holds what was assigned to it; of a oneof the last one alone', () => {
    const message = create(desc);
    const held = (): unknown[] =>
      ['str', 'choiceStr', 'choiceI32'].map((name) => valueIn(message, field(name)));
    expect(held()).toEqual(['', undefined, undefined]);
    assignField(message, field('str'), 'a');
    assignField(message, field('choiceStr'), 'b');
    expect(held()).toEqual(['a', 'b', undefined]);
    assignField(message, field('choiceI32'), 7);
    expect(held()).toEqual(['a', undefined, 7]);
  });
});
