import { describe, expect, it } from '@jest/globals';
import { kinds } from '../../kinds.fixture.js';
import { readArray, readEntries } from './containers.js';
import type { JsonSource } from './json-source.js';
import { readJsonDocument } from './read-document.js';

const reading = { registry: kinds.registry, ignoreUnknown: false, maxDepth: 3 };

/** Readers of values that count no messages, so that nothing else limits how deep they go. */
const arrays = (source: JsonSource): void => readArray(source, undefined, arrays);
const objects = (source: JsonSource): void => readEntries(source, undefined, objects);

describe('values inside one another that are no messages', () => {
  it.each([
    ['arrays', arrays, '[', ']', '$[0][0][0][0][0][0][0][0][0][0][0][0]'],
    ['objects', objects, '{"a":', '}', '$.a.a.a.a.a.a.a.a.a.a.a.a'],
  ] as const)('are limited to three levels a message: %s', (_name, read, open, close, place) => {
    const deepest = open.repeat(11) + (open === '[' ? '[]' : '{}') + close.repeat(11);
    expect(() => readJsonDocument(deepest, reading, read)).not.toThrow();
    expect(() => readJsonDocument(open.repeat(1_000_000), reading, read)).toThrow(
      `${place}: nested deeper than 12 levels`,
    );
  });
});
