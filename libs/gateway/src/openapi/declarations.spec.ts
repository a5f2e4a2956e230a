import type { ProtoRegistry } from '@apix/proto/core';
import type { AnyDesc } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { descriptionOf, summaryOf } from './declarations.js';

const desc = {} as AnyDesc;
const commented = (text: string): ProtoRegistry => ({ comments: () => text }) as never;

it.each<[string, object]>([
  ['', {}],
  [' \n ', {}],
  [' Gets an order.\n', { summary: 'Gets an order.' }],
  ['Gets an order', { summary: 'Gets an order' }],
  [
    'Gets an order. Of version 1.2, say.',
    { summary: 'Gets an order.', description: 'Gets an order. Of version 1.2, say.' },
  ],
  [
    'Gets version 1.2\nof it! More.',
    { summary: 'Gets version 1.2 of it!', description: 'Gets version 1.2\nof it! More.' },
  ],
])(
  'the comment %j of a method is its first sentence and, if there is more, all of it',
  (text, its) => {
    expect(summaryOf(commented(text), desc)).toEqual(its);
  },
);

it('the comment of anything else is its description', () => {
  expect(descriptionOf(commented(' One. Two.\n'), desc)).toEqual({ description: 'One. Two.' });
  expect(descriptionOf(commented(' '), desc)).toEqual({});
});
