import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { missingClasses, repeatedMessages, strangeMessages } from './error-catalogue.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the error catalogue', () => {
  it('has only messages that the packages say', () => {
    expect(strangeMessages(root, 'docs/errors.md')).toEqual([]);
  });

  it('has no message twice', () => {
    expect(repeatedMessages(root, 'docs/errors.md')).toEqual([]);
  });

  it('has every error class that a package exports', () => {
    expect(missingClasses(root, 'docs/errors.md')).toEqual([]);
  });

  it('would not pass without each of these', () => {
    expect(strangeMessages(root, 'tools/docs/testdata/errors.md')).toEqual([
      '@apix/cron says nowhere: job … has gone fishing',
      '@apix/cron says nowhere: job … has gone fishing',
    ]);
    expect(repeatedMessages(root, 'tools/docs/testdata/errors.md')).toEqual([
      '@apix/cron has twice: job … has gone fishing',
    ]);
    expect(missingClasses(root, 'tools/docs/testdata/errors.md')).toContain(
      '@apix/cron exports CronError, which is not in its section',
    );
  });
});
