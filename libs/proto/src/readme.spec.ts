import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { AppModule, Tour } from './quick-start.fixture.js';

it('the example of the README does what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = readFileSync(new URL('./quick-start.fixture.ts', import.meta.url), 'utf8');
  expect(readme).toContain(code);

  const printed: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((value: unknown) => {
    printed.push(typeof value === 'string' ? value : inspect(value));
  });
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  expect(() => app.get(Tour).run()).toThrow(
    expect.objectContaining({ message: '$.reason: expected string, got 7' }),
  );
  log.mockRestore();
  expect(readme).toContain(
    [...printed, 'JsonDecodeError: $.reason: expected string, got 7'].join('\n'),
  );
});
