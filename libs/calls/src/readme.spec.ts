import { readFileSync } from 'node:fs';
import { expect, it, jest } from '@jest/globals';
import { quickStart } from './quick-start.fixture.js';

it('the example of the README prints what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = readFileSync(new URL('./quick-start.fixture.ts', import.meta.url), 'utf8');
  expect(readme).toContain(code);

  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    lines.push(values.join(' '));
  });
  quickStart();
  log.mockRestore();
  expect(readme).toContain(lines.join('\n'));
});
