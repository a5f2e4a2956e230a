import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { PAGE_FILES, pageFile } from './page-files.js';

/** In bytes. */
const MOST_COMPRESSED = 120_000;

it('the page with all its files takes at most 120 kB compressed', () => {
  const texts = [pageFile('Host', '/host'), ...PAGE_FILES.values()].map(({ text }) => text);
  const sizes = texts.map((text) => gzipSync(text).length);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(MOST_COMPRESSED);
});
