import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { program } from '../../../tools/testing/program.js';
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

it('the example of a field that is not shown prints what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, proto, code, printed] = /```proto\n(.*?)```.*?```ts\n(.*?)```.*?```text\n(.*?)```/s.exec(
    readme.slice(readme.indexOf('## Fields that are not shown')),
  )!;
  const folder = mkdtempSync(join(tmpdir(), 'proto-readme-'));
  const app = await program({
    code: `process.chdir(process.argv[2]!);\n${code!}`,
    folder: new URL('.', import.meta.url),
  });
  try {
    mkdirSync(join(folder, 'gen'));
    writeFileSync(join(folder, 'login.proto'), proto!);
    const buf = resolve('node_modules/.bin/buf');
    execFileSync(buf, ['build', folder, '-o', join(folder, 'gen/login.binpb')]);
    const { out, err } = await app.run(folder).ended;
    expect(err).toBe('');
    expect(out).toBe(printed);
  } finally {
    await app.remove();
    rmSync(folder, { recursive: true });
  }
});
