import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BodyChunks } from './request-body.js';

it('chunks of any size are joined correctly, even if their memory is reused', () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 900, max: 5_000 }));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const chunks = new BodyChunks();
      const all = sizes.map((length, at) => Buffer.alloc(length, at + 1));
      for (const chunk of all) chunks.add(chunk);
      expect(chunks.size).toBe(sizes.reduce((sum, each) => sum + each, 0));
      expect(chunks.joined().equals(Buffer.concat(all))).toBe(true);
    }),
  );
});

it('small chunks are not kept one by one', () => {
  const chunks = new BodyChunks();
  const chunk = Buffer.from('a');
  for (let i = 0; i < 10_000; i++) chunks.add(chunk);
  chunk.write('b');
  expect(chunks.joined().toString()).toBe('a'.repeat(10_000).replace('a', 'b'));
});
